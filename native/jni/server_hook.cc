#include "jni/server_hook.h"

#include <spdlog/logger.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "agent/runtime.h"

namespace hodor::jni {

namespace {

std::atomic<ServerHook*> theHook{nullptr};

constexpr jint kJvmtiVersion = 0x30010200;
constexpr const char* kServerSignature = "Lorg/eclipse/jetty/server/Server;";
// HotSpot's most (MaxJNILocalCapacity); with -Xcheck:jni it complains of references beyond a frame.
constexpr jint kFrame = 65536;

// Who makes an MBean server loads it first, whichever kind it makes.
constexpr std::string_view kMBeanServerMaker = "javax/management/MBeanServerFactory";
constexpr const char* kMBeanServerMakerSignature = "Ljavax/management/MBeanServerFactory;";

bool isServer(const char* name) { return name != nullptr && attach::kServerClass == name; }

// The signature of a class, or an empty text.
std::string signatureOf(jvmtiEnv* jvmti, jclass type) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(type, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return {};
  }
  std::string copy(signature);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  return copy;
}

constexpr jlong kServerTag = 1;

jint JNICALL tagObject(jlong, jlong, jlong* tag, jint, void*) {
  *tag = kServerTag;
  return JVMTI_VISIT_OBJECTS;
}

}  // namespace

ServerHook* serverHook() { return theHook.load(std::memory_order_acquire); }

void installServerHook(ServerHook* hook) { theHook.store(hook, std::memory_order_release); }

jvmtiEnv* ServerHook::newEnvironment(const jvmtiCapabilities& wanted,
                                     jvmtiEventClassFileLoadHook hook) const {
  jvmtiEnv* jvmti = nullptr;
  if (vm_->GetEnv(reinterpret_cast<void**>(&jvmti), kJvmtiVersion) != JNI_OK) {
    return nullptr;
  }
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = hook;
  if (jvmti->AddCapabilities(&wanted) != JVMTI_ERROR_NONE ||
      jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
    jvmti->DisposeEnvironment();
    return nullptr;
  }
  return jvmti;
}

void ServerHook::prepare(JavaVM* vm) {
  vm_ = vm;
  jvmtiCapabilities wanted{};
  wanted.can_generate_all_class_hook_events = 1;
  loading_ = newEnvironment(wanted, &ServerHook::onLoad);
  if (loading_ == nullptr) {
    runtime_.errors.sourceFailed("this JVM shows no class files: no server is attached to");
    runtime_.log().warn(
        "this JVM shows no class files: no server is attached to by itself; register the handler "
        "or the filter");
  }
}

void ServerHook::enterLivePhase(JNIEnv* env, bool attachedLate) {
  if (loading_ == nullptr) {
    mbeanServersCome_();
    return;
  }
  loading_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
  if (env->PushLocalFrame(kFrame) != JNI_OK) {
    env->ExceptionClear();
    mbeanServersCome_();
    return;
  }
  const std::vector<jclass> servers = serverClasses(env, false);
  if (!servers.empty()) {
    retransform(servers);
    if (attachedLate) {
      attachToRunning(env, serverClasses(env, true));
    }
  }
  env->PopLocalFrame(nullptr);
}

std::vector<jclass> ServerHook::serverClasses(JNIEnv* env, bool subclasses) const {
  std::vector<jclass> servers;
  jint count = 0;
  jclass* classes = nullptr;
  if (loading_->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) {
    mbeanServersCome_();
    return servers;
  }
  for (jint i = 0; i < count; ++i) {
    const std::string signature = signatureOf(loading_, classes[i]);
    if (signature == kServerSignature) {
      servers.push_back(classes[i]);
    } else if (signature == kMBeanServerMakerSignature) {
      mbeanServersCome_();
    }
  }
  const std::size_t exact = servers.size();
  for (jint i = 0; subclasses && exact > 0 && i < count; ++i) {
    for (std::size_t server = 0; server < exact; ++server) {
      if (env->IsSameObject(classes[i], servers[server]) == JNI_FALSE &&
          env->IsAssignableFrom(classes[i], servers[server]) == JNI_TRUE) {
        servers.push_back(classes[i]);
        break;
      }
    }
  }
  loading_->Deallocate(reinterpret_cast<unsigned char*>(classes));
  return servers;
}

void ServerHook::retransform(const std::vector<jclass>& servers) {
  if (loaded_ == nullptr) {
    jvmtiCapabilities wanted{};
    wanted.can_generate_all_class_hook_events = 1;
    wanted.can_retransform_classes = 1;
    wanted.can_tag_objects = 1;
    loaded_ = newEnvironment(wanted, &ServerHook::onRetransform);
  }
  if (loaded_ == nullptr) {
    runtime_.log().warn("this JVM changes no loaded classes: a server that starts is not noticed");
    return;
  }
  loaded_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
  const jvmtiError error =
      loaded_->RetransformClasses(static_cast<jint>(servers.size()), servers.data());
  if (error != JVMTI_ERROR_NONE) {
    runtime_.log().warn(
        "Jetty's Server cannot be changed (JVMTI error {}): servers that start from "
        "now on are not watched",
        static_cast<int>(error));
  }
}

void ServerHook::attachToRunning(JNIEnv* env, const std::vector<jclass>& servers) const {
  if (loaded_ == nullptr) {
    return;
  }
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_iteration_callback = &tagObject;
  for (jclass type : servers) {
    loaded_->IterateThroughHeap(0, type, &callbacks, nullptr);
  }
  jint count = 0;
  jobject* found = nullptr;
  if (loaded_->GetObjectsWithTags(1, &kServerTag, &count, &found, nullptr) != JVMTI_ERROR_NONE) {
    return;
  }
  for (jint i = 0; i < count; ++i) {
    loaded_->SetTag(found[i], 0);
    bridge_.serverFound(env, found[i]);
  }
  loaded_->Deallocate(reinterpret_cast<unsigned char*>(found));
}

void ServerHook::serverStarting(JNIEnv* env, jobject server) const {
  if (server != nullptr) {
    bridge_.serverStarting(env, server);
  }
}

void ServerHook::patch(jvmtiEnv* jvmti, Patch how, attach::Bytes original, jint* newSize,
                       unsigned char** newBytes) const {
  const attach::Patched patched = how(original);
  if (!patched.reason.empty()) {
    runtime_.log().warn("not attached: a class org.eclipse.jetty.server.Server stays as it is: {}",
                        patched.reason);
  }
  if (patched.bytes.empty()) {
    return;
  }
  unsigned char* copy = nullptr;
  if (jvmti->Allocate(static_cast<jlong>(patched.bytes.size()), &copy) != JVMTI_ERROR_NONE) {
    return;
  }
  std::memcpy(copy, patched.bytes.data(), patched.bytes.size());
  *newBytes = copy;
  *newSize = static_cast<jint>(patched.bytes.size());
}

void JNICALL ServerHook::onLoad(jvmtiEnv* jvmti, JNIEnv*, jclass redefined, jobject,
                                const char* name, jobject, jint size, const unsigned char* bytes,
                                jint* newSize, unsigned char** newBytes) {
  const ServerHook* const hook = serverHook();
  if (hook == nullptr || redefined != nullptr || name == nullptr) {
    return;
  }
  if (kMBeanServerMaker == name) {
    hook->mbeanServersCome_();
  } else if (isServer(name)) {
    hook->patch(jvmti, &attach::patchAtLoad, {bytes, static_cast<std::size_t>(size)}, newSize,
                newBytes);
  }
}

void JNICALL ServerHook::onRetransform(jvmtiEnv* jvmti, JNIEnv*, jclass redefined, jobject,
                                       const char* name, jobject, jint size,
                                       const unsigned char* bytes, jint* newSize,
                                       unsigned char** newBytes) {
  const ServerHook* const hook = serverHook();
  if (hook != nullptr && redefined != nullptr && isServer(name)) {
    hook->patch(jvmti, &attach::patchLoaded, {bytes, static_cast<std::size_t>(size)}, newSize,
                newBytes);
  }
}

}  // namespace hodor::jni

namespace {

void tellHook(JNIEnv* env, jobject server) {
  if (const hodor::jni::ServerHook* const hook = hodor::jni::serverHook()) {
    hook->serverStarting(env, server);
  }
}

}  // namespace

// The patched Server.doStart() calls one of these two; see attach/server_patch.h.
extern "C" JNIEXPORT void JNICALL
Java_org_eclipse_jetty_server_Server_hodor_00024onStart(JNIEnv* env, jobject server) {
  tellHook(env, server);
}

extern "C" JNIEXPORT void JNICALL Java_io_hodor_boot_ServerStart_tell(JNIEnv* env, jclass,
                                                                      jobject server) {
  tellHook(env, server);
}
