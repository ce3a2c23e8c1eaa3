#pragma once

#include <jni.h>

namespace hodor::jni {

// The descriptor of a java.nio.channels.SocketChannel of the JDK (11 to 25): its private field
// `fdVal`, which native code may read where Java code may not. -1: it is something else, closed, or
// of a JDK that keeps it elsewhere. Any thread of Java; leaves no exception pending.
int descriptorOf(JNIEnv* env, jobject channel);

}  // namespace hodor::jni
