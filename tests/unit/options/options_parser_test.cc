#include "options/options_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace hodor::options {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

FileContent noFile(const std::string& path) {
  ADD_FAILURE() << "asked for " << path;
  return {"", "no file"};
}

ParseResult parse(std::string_view optionString) { return parseAgentOptions(optionString, noFile); }

ParseResult parseWithFile(const std::string& file, const std::string& more = "") {
  return parseAgentOptions("config=/etc/hodor.conf" + more, [&](const std::string& path) {
    EXPECT_EQ(path, "/etc/hodor.conf");
    return FileContent{file, ""};
  });
}

TEST(OptionsParser, NothingMeansDefaults) {
  const ParseResult parsed = parse("");
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_TRUE(parsed.options == Options{});
  EXPECT_EQ(parsed.options.mode, Mode::kMonitor);
  EXPECT_EQ(parsed.options.strategy, Strategy::kConcurrency);
}

TEST(OptionsParser, ReadsEveryKey) {
  const ParseResult parsed = parse(
      "mode=enforce,strategy=percentage,cpu.bands=5:1s,heartbeat.interval=20ms,heartbeat.limit=7ms,"
      "heartbeat.violations=3/4,gc.bands=50%:2s,queue.bands=1s:1m,inject=gc+cpu,reject.status=429,"
      "reject.retry-after=2m,log.level=debug,log.file=/tmp/hodor.log");
  EXPECT_THAT(parsed.errors, IsEmpty());
  const Options& options = parsed.options;
  EXPECT_EQ(options.mode, Mode::kEnforce);
  EXPECT_EQ(options.strategy, Strategy::kPercentage);
  EXPECT_THAT(options.cpuBands, ElementsAre(detectors::Band{5, milliseconds(1000)}));
  EXPECT_EQ(options.heartbeatInterval, milliseconds(20));
  EXPECT_EQ(options.heartbeat.limit, milliseconds(7));
  EXPECT_EQ(options.heartbeat.lateWindows, 3);
  EXPECT_EQ(options.heartbeat.windows, 4);
  EXPECT_THAT(options.gcBands, ElementsAre(detectors::Band{0.5, milliseconds(2000)}));
  EXPECT_THAT(options.queueBands, ElementsAre(detectors::Band{1000, milliseconds(60'000)}));
  EXPECT_THAT(options.inject, ElementsAre("gc", "cpu"));
  EXPECT_EQ(options.rejectStatus, 429);
  EXPECT_EQ(options.rejectRetryAfter, std::chrono::seconds(120));
  EXPECT_EQ(options.logLevel, LogLevel::kDebug);
  EXPECT_EQ(options.logFile, "/tmp/hodor.log");
}

TEST(OptionsParser, SaysWhereWhatAndWhatIsAccepted) {
  EXPECT_THAT(parse("heartbeat.interval=10").errors,
              ElementsAre("heartbeat.interval=\"10\" (option string): not a whole number with "
                          "a unit (ms, s or m); "
                          "accepted: 1ms to 1s"));
  EXPECT_THAT(
      parse("strategy=rate").errors,
      ElementsAre("strategy=\"rate\" (option string): not one of the accepted words; accepted: "
                  "concurrency, percentage"));
  EXPECT_THAT(parse("cpu.bands=4:10s+3:1s").errors,
              ElementsAre(AllOf(HasSubstr("band \"3:1s\" does not have a higher threshold"),
                                HasSubstr("accepted: up to 8 of threshold:duration"))));
}

TEST(OptionsParser, ReportsAllErrorsTogether) {
  const ParseResult parsed =
      parse("mod=enforce,strategy=x,,reject.status=200,log.level=debug,tidy");
  EXPECT_THAT(parsed.errors,
              ElementsAre("unknown key \"mod\"; the nearest right key is mode (option string)",
                          HasSubstr("strategy=\"x\""), HasSubstr("empty entry (option string)"),
                          HasSubstr("reject.status=\"200\""), HasSubstr("unknown key \"tidy\"")));
  EXPECT_EQ(parsed.options.logLevel, LogLevel::kDebug) << "so that the errors are logged right";
}

TEST(OptionsParser, StopsListingAfterTwentyErrors) {
  std::string garbage;
  for (int i = 0; i < 1000; ++i) {
    garbage += "x\n";
  }
  const ParseResult parsed = parseWithFile(garbage);
  EXPECT_THAT(parsed.errors, SizeIs(21));
  EXPECT_EQ(parsed.errors.back(), "and 980 more");
}

TEST(OptionsParser, EntriesAreKeyEqualsValue) {
  EXPECT_THAT(
      parse("mode").errors,
      ElementsAre("mode (option string): no '=' and no value; accepted: off, monitor, enforce"));
  EXPECT_THAT(parse("mode=").errors, ElementsAre(HasSubstr("no value")));
  EXPECT_THAT(parse("=enforce").errors, ElementsAre(HasSubstr("unknown key \"\"")));
  EXPECT_THAT(parse("=").errors, SizeIs(1));
  EXPECT_THAT(parse(",").errors, SizeIs(2));
  EXPECT_THAT(parse("mode=off,").errors, ElementsAre(HasSubstr("empty entry")));
  EXPECT_THAT(parse(" mode=off").errors, ElementsAre(HasSubstr("unknown key \" mode\"")));
  EXPECT_THAT(parse("mode =off").errors, ElementsAre(HasSubstr("unknown key \"mode \"")));
  EXPECT_THAT(parse("MODE=off").errors, ElementsAre(HasSubstr("the nearest right key is mode")));
  EXPECT_THAT(parse("help").errors, SizeIs(1));
}

TEST(OptionsParser, KeysOfLaterVersionsAreUnknown) {
  for (const char* key :
       {"tier.header", "tier.trust", "tier.optional", "tier.default", "fairness.key"}) {
    EXPECT_THAT(parse(std::string(key) + "=x").errors, ElementsAre(HasSubstr("unknown key")));
  }
}

TEST(OptionsParser, AKeyTwiceInOnePlaceIsAnError) {
  EXPECT_THAT(parse("mode=off,mode=off").errors,
              ElementsAre(AllOf(HasSubstr("mode="), HasSubstr("given twice"))));
  EXPECT_THAT(parse("mode=nonsense,mode=off").errors, SizeIs(2));
  EXPECT_THAT(parseWithFile("mode=off\nmode=enforce\n").errors,
              ElementsAre(AllOf(HasSubstr("/etc/hodor.conf:2"), HasSubstr("given twice"))));
}

TEST(OptionsParser, TheOptionStringWinsOverTheFile) {
  const ParseResult parsed = parseWithFile("mode=enforce\nreject.status=429\n", ",mode=off");
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_EQ(parsed.options.mode, Mode::kOff);
  EXPECT_EQ(parsed.options.rejectStatus, 429);
}

TEST(OptionsParser, AWrongValueInTheFileIsReportedEvenIfOverruled) {
  EXPECT_THAT(parseWithFile("mode=x\n", ",mode=off").errors,
              ElementsAre(HasSubstr("mode=\"x\" (/etc/hodor.conf:1)")));
}

TEST(OptionsParser, ErrorsOfBothPlacesComeTogether) {
  EXPECT_THAT(parseWithFile("\n\nmode=x\n", ",strategy=y").errors,
              ElementsAre(HasSubstr("strategy=\"y\" (option string)"),
                          HasSubstr("mode=\"x\" (/etc/hodor.conf:3)")));
}

TEST(OptionsParser, FilesMayHaveCommentsBlankLinesAndCrLf) {
  const ParseResult parsed = parseWithFile(
      "# a comment, with = and ,\r\n\r\n   \t\r\n  mode=enforce  \r\n\t# another\r\n"
      "log.file=a,b=c\r\nreject.status=429");
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_EQ(parsed.options.mode, Mode::kEnforce);
  EXPECT_EQ(parsed.options.logFile, "a,b=c");
  EXPECT_EQ(parsed.options.rejectStatus, 429);
}

TEST(OptionsParser, FilesHaveNoCommentsBehindValuesAndOneEntryALine) {
  EXPECT_THAT(parseWithFile("mode=enforce # now\n").errors, SizeIs(1));
  EXPECT_THAT(parseWithFile("mode=off,strategy=percentage\n").errors, SizeIs(1));
  EXPECT_THAT(parseWithFile("mode = off\n").errors, SizeIs(1));
  EXPECT_THAT(parseWithFile("mode: off\n").errors, SizeIs(1));
}

TEST(OptionsParser, EmptyFilesSayNothing) {
  EXPECT_THAT(parseWithFile("").errors, IsEmpty());
  EXPECT_TRUE(parseWithFile("#").options == Options{});
}

TEST(OptionsParser, BinaryFilesAreErrors) {
  EXPECT_THAT(parseWithFile(std::string("\x7f"
                                        "ELF\x02\x01\0\0",
                                        8))
                  .errors,
              ElementsAre(HasSubstr("/etc/hodor.conf:1")));
}

TEST(OptionsParser, AFileCannotNameAFile) {
  EXPECT_THAT(parseWithFile("config=/etc/other.conf\n").errors,
              ElementsAre(AllOf(HasSubstr("/etc/hodor.conf:1"),
                                HasSubstr("a file cannot name another file"))));
}

TEST(OptionsParser, AFileThatCannotBeReadIsAnError) {
  const ParseResult parsed = parseAgentOptions("mode=enforce,config=gone", [](const std::string&) {
    return FileContent{"", "No such file"};
  });
  EXPECT_THAT(parsed.errors,
              ElementsAre("config=\"gone\" (option string): No such file; accepted: a readable "
                          "file of at most 64 KiB, only in the option string"));
}

TEST(OptionsParser, AFileThatIsTooLargeIsNotParsed) {
  EXPECT_THAT(parseWithFile(std::string(kLargestFile + 1, '\n')).errors,
              ElementsAre(HasSubstr("larger than 64 KiB")));
}

TEST(OptionsParser, TheFileIsAskedForOnceAndOnlyWithAPath) {
  EXPECT_THAT(parse("config=").errors, ElementsAre(HasSubstr("no value")));
  EXPECT_THAT(parse("config").errors, ElementsAre(HasSubstr("no '='")));
  EXPECT_THAT(parse("config=\x01").errors, ElementsAre(HasSubstr("not a path")));
  int reads = 0;
  const ParseResult parsed = parseAgentOptions("config=a,config=b", [&](const std::string& path) {
    ++reads;
    EXPECT_EQ(path, "a");
    return FileContent{};
  });
  EXPECT_EQ(reads, 1);
  EXPECT_THAT(parsed.errors, ElementsAre(HasSubstr("given twice")));
}

TEST(SetOption, ChangesOneValue) {
  Options options;
  options.rejectStatus = 429;
  EXPECT_EQ(setOption(options, "mode", "enforce"), std::nullopt);
  EXPECT_EQ(options.mode, Mode::kEnforce);
  EXPECT_EQ(options.rejectStatus, 429);
  EXPECT_EQ(setOption(options, "inject", "cpu"), std::nullopt);
  EXPECT_EQ(setOption(options, "inject", "none"), std::nullopt);
  EXPECT_THAT(options.inject, IsEmpty());
}

TEST(SetOption, RefusesWhatCountsAtStartOnly) {
  for (const char* key : {"heartbeat.interval", "log.file", "config"}) {
    Options options;
    EXPECT_EQ(setOption(options, key, "10ms"),
              std::string(key) + " counts only when the JVM starts: set it in the agent's options");
    EXPECT_TRUE(options == Options{});
  }
}

TEST(SetOption, SaysWhatWasWrong) {
  Options options;
  EXPECT_EQ(setOption(options, "modus", "off"),
            "unknown key \"modus\"; the nearest right key is mode");
  EXPECT_EQ(setOption(options, "mode", ""), "mode=\"\": no value; accepted: off, monitor, enforce");
  EXPECT_EQ(setOption(options, "mode", "on"),
            "mode=\"on\": not one of the accepted words; accepted: off, monitor, enforce");
}

}  // namespace
}  // namespace hodor::options
