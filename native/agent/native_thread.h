#pragma once

#include <pthread.h>

#include <csignal>
#include <functional>
#include <utility>

namespace hodor::agent {

// Starts a detached thread with a name and all signals blocked: signals are the application's.
// False: the system gave no thread.
inline bool startThread(const char* name, std::function<void()> body) {
  struct Start {
    const char* name;
    std::function<void()> body;
  };
  auto* start = new Start{name, std::move(body)};
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  const int error = pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        auto* own = static_cast<Start*>(argument);
        pthread_setname_np(pthread_self(), own->name);
        own->body();
        delete own;
        return nullptr;
      },
      start);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) {
    delete start;
    return false;
  }
  pthread_detach(thread);
  return true;
}

}  // namespace hodor::agent
