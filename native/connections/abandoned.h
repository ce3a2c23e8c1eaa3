#pragma once

#include "options/options.h"

namespace hodor::connections {

// Whether nobody waits any more for the answer to a request on this connection: its client has left
// (see options::Abandoned), or the request arrived longer ago than most clients wait. One or two
// system calls that only read; false in doubt. Any thread.
bool isAbandoned(int descriptor, options::Abandoned which);

}  // namespace hodor::connections
