#include "jni/socket_channel.h"

namespace hodor::jni {

namespace {

struct Place {
  jclass type = nullptr;
  jfieldID descriptor = nullptr;
};

Place find(JNIEnv* env) {
  Place place;
  if (jclass const type = env->FindClass("sun/nio/ch/SocketChannelImpl")) {
    place.descriptor = env->GetFieldID(type, "fdVal", "I");
    if (place.descriptor != nullptr) {
      place.type = static_cast<jclass>(env->NewGlobalRef(type));
    }
    env->DeleteLocalRef(type);
  }
  env->ExceptionClear();
  return place;
}

}  // namespace

int descriptorOf(JNIEnv* env, jobject channel) {
  // A class of the boot loader: it is never unloaded, and the same for all.
  static const Place kPlace = find(env);
  if (channel == nullptr || kPlace.type == nullptr ||
      env->IsInstanceOf(channel, kPlace.type) == JNI_FALSE) {
    return -1;
  }
  return env->GetIntField(channel, kPlace.descriptor);
}

}  // namespace hodor::jni
