// The ways in. None of them ever returns an error: an agent that fails must not keep the JVM from
// starting.
#include <jni.h>

#include "agent/agent.h"

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  hodor::agent::Agent::load(vm, options, false);
  return JNI_OK;
}

extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void*) {
  hodor::agent::Agent::load(vm, options, true);
  return JNI_OK;
}

extern "C" JNIEXPORT void JNICALL Agent_OnUnload(JavaVM*) { hodor::agent::Agent::unload(); }
