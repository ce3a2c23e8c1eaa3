#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "attach/class_file.h"

namespace hodor::attach {

// Jetty's server, of every generation.
constexpr std::string_view kServerClass = "org/eclipse/jetty/server/Server";

// A class file with a call of ours at the start of doStart(), or the reason why there is none.
struct Patched {
  std::vector<std::uint8_t> bytes;  // empty: not patched
  std::string reason;               // why not; empty if the class carries the call already
};

// For a class that is being loaded. doStart() becomes a private method under another name; in its
// place stands one that calls `private native void hodor$onStart()`, whatever that throws, and then
// the old one. No instruction of the original moves.
Patched patchAtLoad(Bytes original);

// For a class that is loaded already and may get no new methods: inserts
// `ServerStart.starting(this)` as the first instructions of doStart(), and moves all that counts
// from the method's start (JVMS 4.7.3, .4, .12-.14).
Patched patchLoaded(Bytes original);

}  // namespace hodor::attach
