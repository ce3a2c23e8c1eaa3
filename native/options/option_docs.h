#pragma once

#include <string>

namespace hodor::options {

// docs/options.md, made from the table of options.
std::string optionDocs();

}  // namespace hodor::options
