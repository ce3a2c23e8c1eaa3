#include "agent/agent.h"

#include <spdlog/logger.h>

#include <string>

#include "agent/clock.h"
#include "agent/logging.h"
#include "options/option_file.h"
#include "options/options_parser.h"

namespace hodor::agent {

namespace {

std::atomic<Agent*> theAgent{nullptr};

// A literal, not JVMTI_VERSION: the newest version of the header at hand may be unknown to an older
// JVM.
constexpr jint kJvmtiVersion = 0x30010200;

// The threads end within a wake-up; longer only if an upcall is stuck in the application's
// executor.
constexpr std::chrono::milliseconds kEndPatience{200};

std::string joinErrors(const std::vector<std::string>& errors) {
  std::string all;
  for (const std::string& error : errors) {
    all.append(all.empty() ? "" : "; ").append(error);
  }
  return all;
}

}  // namespace

Agent::Agent(JavaVM* vm, Runtime& runtime)
    : vm_(vm),
      runtime_(runtime),
      bridge_(runtime),
      serverHook_(runtime, bridge_, [this] { upcalls_.expectMBeanServer(); }),
      upcalls_(runtime, bridge_, serverHook_, vm),
      tick_(runtime, upcalls_) {}

void Agent::load(JavaVM* vm, const char* optionString, bool live) {
  const options::ParseResult parsed = options::parseAgentOptions(
      optionString == nullptr ? "" : optionString, options::readOptionFile);
  options::Options options = parsed.options;
  if (!parsed.errors.empty()) {
    options.mode = options::Mode::kOff;
  }
  std::string fileError;
  auto logger = makeLogger(options, fileError);
  if (!installRuntime(std::make_unique<Runtime>(options, joinErrors(parsed.errors), logger))) {
    runtime()->log().warn(
        "the agent is loaded already; this second load, with options \"{}\", is "
        "ignored",
        optionString == nullptr ? "" : optionString);
    return;
  }
  if (!fileError.empty()) {
    logger->error("log.file: {}; logging to standard error", fileError);
  }
  for (const std::string& error : parsed.errors) {
    logger->error("{}", error);
  }
  if (!parsed.errors.empty()) {
    logger->error("hodor stays off (mode=off), the application runs without it");
  }

  auto* const agent = new Agent(vm, *runtime());  // lives as long as the process
  theAgent.store(agent, std::memory_order_release);
  jni::installJavaBridge(&agent->bridge_);
  agent->prepareJvmti();
  if (!agent->runtime_.offForGood() && options.attach == options::Switch::kOn) {
    jni::installServerHook(&agent->serverHook_);
    agent->serverHook_.prepare(vm);
  }
  JNIEnv* env = nullptr;
  if (live && vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) == JNI_OK) {
    agent->enterLivePhase(env, jni::JavaBridge::Home::kOwnLoader);
  }
}

void Agent::prepareJvmti() {
  if (vm_->GetEnv(reinterpret_cast<void**>(&jvmti_), kJvmtiVersion) != JNI_OK) {
    jvmti_ = nullptr;
    runtime_.log().error("this JVM has no JVMTI 1.2: hodor stays off");
    return;
  }
  bridge_.useJvmti(jvmti_);
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_garbage_collection_events = 1;
  const bool gcEvents = jvmti_->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE;
  if (!gcEvents) {
    runtime_.errors.sourceFailed("garbage-collection events are not available in this JVM");
    runtime_.log().warn("garbage-collection events are not available: the gc detector is stale");
  }
  runtime_.gcPauses.setAvailable(gcEvents);

  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = &Agent::onVmInit;
  callbacks.VMDeath = &Agent::onVmDeath;
  callbacks.GarbageCollectionStart = &Agent::onGcStart;
  callbacks.GarbageCollectionFinish = &Agent::onGcFinish;
  jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks);
  jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr);
  jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, nullptr);
  if (gcEvents) {
    jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, nullptr);
    jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, nullptr);
  }
}

void Agent::enterLivePhase(JNIEnv* env, jni::JavaBridge::Home shimHome) {
  const std::lock_guard lock(phase_);
  if (live_ || dead_) {
    return;
  }
  live_ = true;
  bridge_.defineShim(env, shimHome);
  runtime_.gcCounters.open();  // the tick says what is missed without them
  runtime_.settings.onOrder([this] { tick_.wake(); });
  beat_ = std::make_unique<BeatThread>(runtime_.settings.current().heartbeatInterval,
                                       runtime_.heartbeat, runtime_.inFlight, runtime_.gcCounters,
                                       runtime_.admission, runtime_.rest, runtime_.calm);
  runtime_.rest.onEnd([this] {
    beat_->wake();
    tick_.wake();
  });
  runtime_.calm.onEnd([this] { tick_.wake(); });
  if (!upcalls_.start()) {
    runtime_.errors.sourceFailed("no thread for hodor-upcall");
    runtime_.log().warn("no thread for hodor-upcall: no JMX, no queue probe");
  }
  if (!tick_.start()) {
    runtime_.log().error("no thread for hodor-tick: nothing is detected, everything is admitted");
    return;
  }
  if (runtime_.offForGood()) {
    upcalls_.expectMBeanServer();
    return;
  }
  if (shimHome == jni::JavaBridge::Home::kOwnLoader) {
    upcalls_.postLateServers();
  } else {
    serverHook_.enterLivePhase(env, false);
  }
  if (!beat_->start()) {
    runtime_.errors.sourceFailed("no thread for hodor-beat");
    runtime_.log().warn("no thread for hodor-beat: the heartbeat detector is stale");
  }
}

void Agent::die() {
  runtime_.gcPauses.disable();
  // From here on every request is admitted: nobody adapts the limit any more.
  runtime_.admission.publish({});
  const std::lock_guard lock(phase_);
  if (dead_) {
    return;
  }
  dead_ = true;
  if (beat_) {
    beat_->stop(kEndPatience);
  }
  if (live_) {
    tick_.stop(kEndPatience);
    upcalls_.stop(kEndPatience);
  }
}

void Agent::unload() {
  if (Agent* const agent = theAgent.load(std::memory_order_acquire)) {
    agent->die();
  }
}

void JNICALL Agent::onVmInit(jvmtiEnv*, JNIEnv* env, jthread) {
  theAgent.load(std::memory_order_acquire)->enterLivePhase(env, jni::JavaBridge::Home::kBootLoader);
}

void JNICALL Agent::onVmDeath(jvmtiEnv*, JNIEnv*) { unload(); }

void JNICALL Agent::onGcStart(jvmtiEnv*) { runtime()->gcPauses.pauseStarted(monotonicNow()); }

void JNICALL Agent::onGcFinish(jvmtiEnv*) { runtime()->gcPauses.pauseFinished(monotonicNow()); }

}  // namespace hodor::agent
