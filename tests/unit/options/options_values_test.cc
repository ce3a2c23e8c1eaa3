// Every value of every key, right and wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "options/option_table.h"
#include "options/options_parser.h"

namespace hodor::options {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

FileContent noFile(const std::string& path) {
  ADD_FAILURE() << "asked for " << path;
  return {"", "no file"};
}

struct Case {
  const char* key;
  std::vector<std::string> right;
  std::vector<std::string> wrong;
};

std::string bandsOf(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text.append(i == 1 ? "" : "+").append(std::to_string(i)).append(":1s");
  }
  return text;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"mode",
       {"off", "monitor", "enforce"},
       {"", "on", "Enforce", "ENFORCE", "enforce ", " enforce", "enforc", "enforced", "1", "true",
        "off+monitor", "enforce=1", "\n"}},
      {"strategy", {"concurrency", "percentage"}, {"", "rate", "Concurrency", "none"}},
      {"cpu.bands",
       {"4:10s", "0.1:100ms", "10000:1m", "4:10s+10:2s+25:500ms", "0.999:1s+1:1s", bandsOf(8)},
       {"",
        "4",
        "4:",
        ":10s",
        ":",
        "4:10",
        "4:10s+",
        "+4:10s",
        "4:10s++5:1s",
        "10:2s+4:10s",
        "4:10s+4:2s",
        "0:10s",
        "0.09:10s",
        "-4:10s",
        "10000.1:1s",
        "nan:10s",
        "inf:10s",
        "1e1:10s",
        "4%:10s",
        "4:99ms",
        "4:61s",
        "4:2m",
        "4:0s",
        "4:-1s",
        "4:10s:1",
        "4 :10s",
        "4:10s+5",
        "0x4:1s",
        "1.2345:1s",
        "99999999999999999999999999:1s",
        "4:99999999999999999999s",
        bandsOf(9)}},
      {"heartbeat.interval",
       {"1ms", "10ms", "1s", "1000ms"},
       {"", "10", "0ms", "1001ms", "2s", "1m", "10us", "1.5ms", "-1ms", "+1ms", " 10ms", "10ms ",
        "10 ms", "10MS", "ms", "1e1ms", "9223372036854775807m", "18446744073709551617ms"}},
      {"heartbeat.limit", {"1ms", "5ms", "10s"}, {"", "5", "0ms", "10001ms", "nan", "5%"}},
      {"heartbeat.violations",
       {"1/1", "28/30", "300/300", "1/300"},
       {"", "28", "28/", "/30", "28/30/1", "0/30", "31/30", "28/301", "-1/30", "28 / 30", "28:30",
        "1.5/30", "99999999999999999999/99999999999999999999", "301/301", "a/b"}},
      {"gc.bands",
       {"11%:10s", "0.1%:1s", "100%:1s", "11%:10s+30%:3s+60%:1s"},
       {"", "11:10s", "0.11:10s", "0%:1s", "0.000%:1s", "0.099%:1s", "100.001%:1s", "101%:1s",
        "-1%:1s", "nan%:1s", "11 %:1s", "%:1s", "11%", "30%:3s+11%:10s", "0.0001%:1s"}},
      {"gc.stalls", {"counters", "jfr"}, {"", "JFR", "none", "on", "counters+jfr"}},
      {"queue.bands",
       {"50ms:10s", "1ms:100ms", "1m:1m", "50ms:10s+200ms:2s+1s:500ms"},
       {"", "50:10s", "0ms:1s", "61s:1s", "50ms", "50%:1s", "1s:1s+999ms:1s", "1s:1s+1000ms:1s",
        "1.5s:1s", "50ms:10s,"}},
      {"confirm", {"latency", "none"}, {"", "Latency", "on", "latency+none", "yes"}},
      {"inject",
       {"none", "cpu", "gc", "queue", "cpu+gc+queue", "queue+cpu"},
       {"", "heartbeat", "CPU", "cpu+", "+cpu", "cpu+cpu", "cpu+none", "none+none", "cpu gc",
        "all"}},
      {"attach", {"on", "off"}, {"", "On", "yes", "1", "none"}},
      {"exempt",
       {"none", "/health*", "/a+/b*c+*/d", "*", "/a b"},
       {"", "health", "/a+", "+/a", "/a++/b", "none+/a", "/a+none", "/a\t", "/\xff",
        "/" + std::string(256, 'x')}},
      {"exempt.connectors",
       {"none", "admin", "8081", "admin+management+8081"},
       {"", "+", "admin+", "a\tb", " admin", std::string(257, 'x')}},
      {"exempt.limit",
       {"1", "1000", "1000000"},
       {"", "0", "-1", "1000001", "1e3", "none", " 1", "1/s", "99999999999999999999"}},
      {"connections", {"on", "off"}, {"", "On", "yes", "500", "on+off"}},
      {"connections.exempt",
       {"none", "127.0.0.1+::1", "10.0.0.0/8+fd00::/8", "0.0.0.0/0", "192.168.7.9/32", "::/0"},
       {"", "+", "127.0.0.1+", "none+::1", "localhost", "127.0.0", "127.0.0.256", "10.0.0.0/33",
        "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "/8", "fd00::/129", "fe80::1%eth0",
        "127.0.0.1:80", "[::1]", " ::1"}},
      {"connections.abandoned", {"none", "reset", "closed"}, {"", "Reset", "on", "reset+closed"}},
      {"reject.status",
       {"400", "429", "503", "599"},
       {"", "200", "399", "600", "503.0", "-503", "+503", " 503", "0x1f7", "five",
        "99999999999999999999"}},
      {"reject.retry-after",
       {"auto", "1s", "60m", "3600s", "2000ms"},
       {"", "Auto", "1", "0s", "999ms", "1500ms", "3601s", "61m", "-1s", "1h", "auto+1s"}},
      {"log.level",
       {"error", "warn", "info", "debug"},
       {"", "trace", "INFO", "warning", "off", "2"}},
      {"log.file",
       {"stderr", "hodor.log", "/var/log/hodor.log", "a b"},
       {"", " a", "a ", "a\tb", "a\x1b[2Jb", "\xff\xfe", std::string("a\0b", 3),
        std::string(4097, 'x')}},
  };
  return kCases;
}

std::string fileOf(const Case& item, const std::string& value) {
  return std::string(item.key) + "=" + value;
}

TEST(OptionValues, EveryKeyHasCases) {
  std::vector<std::string> inTable;
  std::vector<std::string> inCases;
  for (const OptionSpec& spec : optionTable()) {
    if (spec.set != nullptr) {
      inTable.emplace_back(spec.key);
    }
  }
  for (const Case& item : cases()) {
    inCases.emplace_back(item.key);
  }
  EXPECT_EQ(inCases, inTable);
}

TEST(OptionValues, RightOnesAreAccepted) {
  for (const Case& item : cases()) {
    for (const std::string& value : item.right) {
      const ParseResult parsed = parseAgentOptions(fileOf(item, value), noFile);
      EXPECT_THAT(parsed.errors, IsEmpty()) << fileOf(item, value);
      // As it would be written, not always as it was written: 1000ms is 1s.
      Options again;
      const std::string written = valueOf(parsed.options, item.key);
      EXPECT_EQ(findOption(item.key)->set(again, written), std::nullopt) << written;
      EXPECT_TRUE(again == parsed.options) << fileOf(item, value);
    }
  }
}

TEST(OptionValues, WrongOnesAreRefusedByNameAndChangeNothing) {
  for (const Case& item : cases()) {
    for (const std::string& value : item.wrong) {
      if (value.find(',') != std::string::npos) {
        continue;  // cannot be written in an option string
      }
      const ParseResult parsed = parseAgentOptions(fileOf(item, value), noFile);
      EXPECT_THAT(parsed.errors,
                  ElementsAre(AllOf(StartsWith(std::string(item.key) + "=\""),
                                    HasSubstr(" (option string): "), HasSubstr("; accepted: "))))
          << fileOf(item, value);
      EXPECT_TRUE(parsed.options == Options{}) << fileOf(item, value);
    }
  }
}

TEST(OptionValues, MessagesStayPrintableAndShort) {
  for (const Case& item : cases()) {
    for (const std::string& junk :
         {std::string(100'000, 'x'), std::string(50, '\x1b'), std::string("\0\xff\n\"", 4)}) {
      for (const std::string& error : parseAgentOptions(fileOf(item, junk), noFile).errors) {
        EXPECT_LT(error.size(), 500U);
        for (const char c : error) {
          EXPECT_TRUE(c >= 0x20 && c < 0x7f) << error;
        }
      }
    }
  }
}

TEST(OptionValues, AtRunTimeTheSameIsAcceptedAndRefused) {
  for (const Case& item : cases()) {
    if (!findOption(item.key)->changeable) {
      continue;
    }
    for (const std::string& value : item.right) {
      Options options;
      EXPECT_EQ(setOption(options, item.key, value), std::nullopt) << fileOf(item, value);
    }
    for (const std::string& value : item.wrong) {
      Options options;
      EXPECT_NE(setOption(options, item.key, value), std::nullopt) << fileOf(item, value);
      EXPECT_TRUE(options == Options{}) << fileOf(item, value);
    }
  }
}

}  // namespace
}  // namespace hodor::options
