#pragma once

#include <string>

#include "options/options_parser.h"

namespace hodor::options {

// Reads a regular file of at most 64 KiB; a directory, a pipe or a device is a problem, never a
// wait.
FileContent readOptionFile(const std::string& path);

}  // namespace hodor::options
