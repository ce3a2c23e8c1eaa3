// The native methods of io.hodor.internal.NativeBridge. HotSpot finds them by name in the libraries
// on -agentpath, for every class loader. Each may be called at any time by any thread, with any
// argument; without a runtime everything is admitted.
#include <jni.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "agent/clock.h"
#include "agent/runtime.h"
#include "connections/abandoned.h"
#include "connections/peer_address.h"
#include "control/cause.h"
#include "control/law_step.h"
#include "jni/java_bridge.h"
#include "jni/socket_channel.h"
#include "jni/text.h"
#include "options/option_table.h"

namespace {

using hodor::admission::Outcome;
using hodor::agent::monotonicNow;
using hodor::agent::Runtime;
using hodor::agent::runtime;
using hodor::jni::textOf;

constexpr jint kAbi = 5;

Outcome outcomeOf(Runtime& runtime, jint outcome) {
  switch (outcome) {
    case 0:
      return Outcome::kCompleted;
    case 2:
      return Outcome::kDropped;
    case 3:
      return Outcome::kNeverStarted;
    case 1:
      break;
    default:
      runtime.admission.countInvalid();
      break;
  }
  return Outcome::kFailed;
}

std::string joined(const auto& names) {
  std::string line;
  for (const std::string_view name : names) {
    line.append(line.empty() ? "" : ",").append(name);
  }
  return line;
}

}  // namespace

#define HODOR_NATIVE(RESULT, NAME) \
  extern "C" JNIEXPORT RESULT JNICALL Java_io_hodor_internal_NativeBridge_##NAME

HODOR_NATIVE(jint, abi)(JNIEnv*, jclass) { return kAbi; }

HODOR_NATIVE(jlong, acquire)(JNIEnv*, jclass, jboolean queued) {
  Runtime* const agent = runtime();
  if (agent == nullptr) {
    return hodor::admission::Admission::kNotCounted;
  }
  const jlong answer = agent->admission.acquire(monotonicNow(), queued != JNI_FALSE);
  if (answer != hodor::admission::Admission::kNotCounted) {
    agent->rest.end();
  }
  return answer;
}

HODOR_NATIVE(jboolean, start)(JNIEnv*, jclass, jlong permit) {
  Runtime* const agent = runtime();
  if (agent == nullptr || permit == hodor::admission::Admission::kNotCounted) {
    return JNI_TRUE;
  }
  return agent->admission.start(permit, monotonicNow()) ? JNI_TRUE : JNI_FALSE;
}

HODOR_NATIVE(void, release)(JNIEnv*, jclass, jlong permit, jint outcome) {
  if (Runtime* const agent = runtime()) {
    agent->admission.release(permit, outcomeOf(*agent, outcome), monotonicNow());
  }
}

HODOR_NATIVE(jboolean, passExempt)(JNIEnv*, jclass) {
  Runtime* const agent = runtime();
  return agent == nullptr || agent->admission.passExempt(monotonicNow()) ? JNI_TRUE : JNI_FALSE;
}

HODOR_NATIVE(jboolean, hasLeft)(JNIEnv* env, jclass, jobject channel) {
  Runtime* const agent = runtime();
  if (agent == nullptr || !agent->admission.rejects()) {
    return JNI_FALSE;
  }
  const int descriptor = hodor::jni::descriptorOf(env, channel);
  if (!hodor::connections::isAbandoned(descriptor,
                                       agent->abandoned.load(std::memory_order_relaxed))) {
    return JNI_FALSE;
  }
  agent->admission.countAbandoned();
  return JNI_TRUE;
}

HODOR_NATIVE(void, probedBy)(JNIEnv* env, jclass, jobject channel) {
  Runtime* const agent = runtime();
  if (agent == nullptr) {
    return;
  }
  if (const auto peer = hodor::connections::peerAddress(hodor::jni::descriptorOf(env, channel))) {
    agent->probeClients.seen(*peer, monotonicNow());
  }
}

HODOR_NATIVE(void, limitPort)(JNIEnv*, jclass, jint port, jboolean may) {
  Runtime* const agent = runtime();
  if (agent == nullptr || port <= 0 || port > std::numeric_limits<std::uint16_t>::max()) {
    return;
  }
  const auto number = static_cast<std::uint16_t>(port);
  if (may != JNI_FALSE) {
    agent->servedPorts.add(number);
  } else {
    agent->servedPorts.remove(number);
  }
}

HODOR_NATIVE(jobject, page)(JNIEnv* env, jclass) {
  Runtime* const agent = runtime();
  return agent == nullptr
             ? nullptr
             : env->NewDirectByteBuffer(agent->page.address(),
                                        static_cast<jlong>(hodor::metrics::MetricsPage::size()));
}

HODOR_NATIVE(jstring, layout)(JNIEnv* env, jclass) {
  std::string layout = hodor::metrics::MetricsPage::layout();
  layout.append("values state.mode ").append(joined(hodor::options::kModeNames)).append("\n");
  layout.append("values state.cause ").append(joined(hodor::control::kCauseNames)).append("\n");
  layout.append("values law.step ").append(joined(hodor::control::kLawStepNames)).append("\n");
  layout.append("values state.cpuBlame ")
      .append(joined(hodor::detectors::kCpuBlameNames))
      .append("\n");
  return env->NewStringUTF(layout.c_str());
}

HODOR_NATIVE(jstring, options)(JNIEnv* env, jclass) {
  Runtime* const agent = runtime();
  if (agent == nullptr) {
    return env->NewStringUTF("");
  }
  std::string lines;
  for (const auto& [key, value] : hodor::options::render(agent->settings.current())) {
    lines.append(key).append("=").append(value).append("\n");
  }
  return env->NewStringUTF(lines.c_str());
}

HODOR_NATIVE(jstring, setOption)(JNIEnv* env, jclass, jstring key, jstring value) {
  Runtime* const agent = runtime();
  if (agent == nullptr) {
    return env->NewStringUTF("no agent is loaded");
  }
  const auto error = agent->setOption(textOf(env, key), textOf(env, value));
  return error ? env->NewStringUTF(error->c_str()) : nullptr;
}

HODOR_NATIVE(void, resetCounters)(JNIEnv*, jclass) {
  if (Runtime* const agent = runtime()) {
    agent->settings.requestReset();
  }
}

HODOR_NATIVE(jint, watchPool)(JNIEnv* env, jclass bridgeClass, jstring name) {
  Runtime* const agent = runtime();
  if (agent == nullptr) {
    return -1;
  }
  const std::string text = textOf(env, name);
  const int id = agent->poolWait.watch(text);
  if (id >= 0) {
    agent->log().debug("pool {} is probed", text);
  } else {
    agent->poolNotWatched(text);
  }
  if (id >= 0 && hodor::jni::javaBridge() != nullptr) {
    hodor::jni::javaBridge()->registerCaller(env, bridgeClass);
  }
  return id;
}

HODOR_NATIVE(void, unwatchPool)(JNIEnv*, jclass, jint id) {
  if (Runtime* const agent = runtime()) {
    agent->poolWait.unwatch(id);
  }
}

HODOR_NATIVE(jlong, probeSubmitted)(JNIEnv*, jclass, jint id, jboolean further) {
  const hodor::Instant now = monotonicNow();
  if (Runtime* const agent = runtime()) {
    agent->poolWait.probeSubmitted(id, further != JNI_FALSE, now);
  }
  return now.count();
}

HODOR_NATIVE(void, probeStarted)(JNIEnv*, jclass, jint id, jlong submitted) {
  if (Runtime* const agent = runtime()) {
    agent->poolWait.probeStarted(id, hodor::Instant(submitted), monotonicNow());
  }
}

HODOR_NATIVE(void, nobodyWaits)(JNIEnv*, jclass, jint id) {
  if (Runtime* const agent = runtime()) {
    agent->poolWait.nobodyWaits(id, monotonicNow());
  }
}

HODOR_NATIVE(void, stalled)(JNIEnv*, jclass, jlong nanos) {
  Runtime* const agent = runtime();
  if (agent != nullptr && !agent->stallEvents.add(hodor::Duration(nanos))) {
    agent->admission.countInvalid();
  }
}

HODOR_NATIVE(void, stallsUnreadable)(JNIEnv* env, jclass, jstring why) {
  if (Runtime* const agent = runtime()) {
    agent->errors.sourceFailed("flight recorder: no stream of events");
    agent->log().warn(
        "gc.stalls=jfr: no stream of flight-recorder events here (it needs Java 14 or later and "
        "the module jdk.jfr), the JVM's performance counters are used: {}",
        textOf(env, why));
  }
}

HODOR_NATIVE(void, attached)(JNIEnv* env, jclass, jstring what) {
  if (Runtime* const agent = runtime()) {
    agent->attached(textOf(env, what));
  }
}

HODOR_NATIVE(void, detached)(JNIEnv* env, jclass, jstring what) {
  if (Runtime* const agent = runtime()) {
    agent->detached(textOf(env, what));
  }
}

HODOR_NATIVE(void, failure)(JNIEnv* env, jclass, jstring what) {
  if (Runtime* const agent = runtime()) {
    agent->failedOpen(textOf(env, what));
  }
}
