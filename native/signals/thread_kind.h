#pragma once

#include <string_view>

#include "detectors/thread_times.h"

namespace hodor::signals {

// The kind of a thread by the name that the kernel has for it (/proc/…/task/*/comm): HotSpot's
// names, JDK 11 to 25, of which the kernel keeps the first 15 characters. An application that gives
// a thread of its own such a name deceives it.
detectors::ThreadKind kindOf(std::string_view comm);

}  // namespace hodor::signals
