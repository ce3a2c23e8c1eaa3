#pragma once

#include <optional>
#include <vector>

namespace hodor::signals {

// The numbers of the CPUs that the calling thread may run on, ascending. Nothing, and why in errno,
// if the kernel does not say.
std::optional<std::vector<int>> readAffinity();

}  // namespace hodor::signals
