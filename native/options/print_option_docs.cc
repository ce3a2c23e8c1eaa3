// Prints docs/options.md.
#include <iostream>

#include "options/option_docs.h"

int main() { std::cout << hodor::options::optionDocs(); }
