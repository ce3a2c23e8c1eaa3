#include "connections/accepting_library.h"

#include <sys/socket.h>

extern "C" __attribute__((visibility("default"))) int acceptOn(int listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return accept(listener, reinterpret_cast<sockaddr*>(&address), &size);
}
