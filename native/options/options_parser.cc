#include "options/options_parser.h"

#include <algorithm>

#include "options/option_table.h"
#include "options/value_text.h"

namespace hodor::options {

namespace {

constexpr std::string_view kConfig = "config";
constexpr std::string_view kOptionString = "option string";
// So that a file of garbage does not flood the log.
constexpr std::size_t kMostErrors = 20;

struct Entry {
  std::string_view text;
  std::string where;
};

std::string describeWrong(const OptionSpec& spec, std::string_view value, std::string_view where,
                          std::string_view problem) {
  std::string message(spec.key);
  message.append("=").append(quote(value));
  if (!where.empty()) {
    message.append(" (").append(where).append(")");
  }
  return message.append(": ").append(problem).append("; accepted: ").append(spec.accepted);
}

// Reads the entries of one place, the option string or the file.
class PlaceParser {
 public:
  PlaceParser(Options& options, std::vector<std::string>& errors)
      : options_(options), errors_(errors) {}

  void parse(const Entry& entry) {
    const std::size_t equals = entry.text.find('=');
    const std::string_view key = entry.text.substr(0, equals);
    if (entry.text.empty()) {
      errors_.push_back("empty entry (" + entry.where + "): expected key=value");
      return;
    }
    const OptionSpec* const spec = findOption(key);
    if (spec == nullptr) {
      errors_.push_back(describeUnknown(key) + " (" + entry.where + ")");
      return;
    }
    if (equals == std::string_view::npos) {
      errors_.push_back(std::string(key) + " (" + entry.where +
                        "): no '=' and no value; accepted: " + std::string(spec->accepted));
      return;
    }
    const std::string_view value = entry.text.substr(equals + 1);
    if (const std::string problem = apply(*spec, value); !problem.empty()) {
      errors_.push_back(describeWrong(*spec, value, entry.where, problem));
    }
  }

  // The value of `config`, if it was given and is a path.
  [[nodiscard]] const std::optional<std::string>& config() const { return config_; }
  // In the file: `config` is refused.
  void forbidConfig() { configAllowed_ = false; }

 private:
  // What is wrong; empty: nothing.
  std::string apply(const OptionSpec& spec, std::string_view value) {
    if (std::find(seen_.begin(), seen_.end(), spec.key) != seen_.end()) {
      return "given twice";
    }
    seen_.push_back(spec.key);
    if (value.empty()) {
      return "no value";
    }
    if (spec.set != nullptr) {
      return spec.set(options_, value).value_or("");
    }
    if (!configAllowed_) {
      return "a file cannot name another file";
    }
    if (!isPath(value)) {
      return "not a path";
    }
    config_ = value;
    return "";
  }

  Options& options_;
  std::vector<std::string>& errors_;
  std::vector<std::string_view> seen_;
  std::optional<std::string> config_;
  bool configAllowed_ = true;
};

std::string_view trim(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t from = line.find_first_not_of(kBlank);
  return from == std::string_view::npos
             ? std::string_view{}
             : line.substr(from, line.find_last_not_of(kBlank) + 1 - from);
}

void parseFile(std::string_view text, const std::string& path, Options& options,
               std::vector<std::string>& errors) {
  PlaceParser parser(options, errors);
  parser.forbidConfig();
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view entry = trim(line);
    if (!entry.empty() && entry.front() != '#') {
      parser.parse({entry, path + ":" + std::to_string(number)});
    }
  }
}

void readConfig(const std::string& path, const FileReader& reader, Options& options,
                std::vector<std::string>& errors) {
  const FileContent content = reader(path);
  std::string problem = content.problem;
  if (problem.empty() && content.text.size() > kLargestFile) {
    problem = "larger than 64 KiB";
  }
  if (problem.empty()) {
    parseFile(content.text, path, options, errors);
  } else {
    errors.push_back(describeWrong(*findOption(kConfig), path, kOptionString, problem));
  }
}

void limitErrors(std::vector<std::string>& errors) {
  if (errors.size() > kMostErrors) {
    const std::size_t more = errors.size() - kMostErrors;
    errors.resize(kMostErrors);
    errors.push_back("and " + std::to_string(more) + " more");
  }
}

}  // namespace

ParseResult parseAgentOptions(std::string_view optionString, const FileReader& reader) {
  ParseResult result;
  if (optionString.empty()) {
    return result;
  }
  const auto parts = split(optionString, ',');
  // The file counts less, so it is applied first; but only the option string tells its name.
  Options ignored;
  std::vector<std::string> stringErrors;
  PlaceParser lookForFile(ignored, stringErrors);
  for (const std::string_view part : parts) {
    lookForFile.parse({part, std::string(kOptionString)});
  }
  if (lookForFile.config()) {
    readConfig(*lookForFile.config(), reader, result.options, result.errors);
  }
  std::vector<std::string> reportedAlready;
  PlaceParser overFile(result.options, reportedAlready);
  for (const std::string_view part : parts) {
    overFile.parse({part, std::string(kOptionString)});
  }
  result.errors.insert(result.errors.begin(), stringErrors.begin(), stringErrors.end());
  limitErrors(result.errors);
  return result;
}

std::optional<std::string> setOption(Options& options, std::string_view key,
                                     std::string_view value) {
  const OptionSpec* const spec = findOption(key);
  if (spec == nullptr) {
    return describeUnknown(key);
  }
  if (!spec->changeable) {
    return std::string(key) + " counts only when the JVM starts: set it in the agent's options";
  }
  if (value.empty()) {
    return describeWrong(*spec, value, "", "no value");
  }
  if (const auto problem = spec->set(options, value)) {
    return describeWrong(*spec, value, "", *problem);
  }
  return std::nullopt;
}

}  // namespace hodor::options
