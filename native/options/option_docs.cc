#include "options/option_docs.h"

#include <string_view>

#include "options/option_table.h"

namespace hodor::options {

namespace {

constexpr std::string_view kIntroduction = R"(# Options
<!-- Made from native/options/option_table.cc by `./dev format`. -->

`-agentpath:/opt/hodor/libhodor.so=key=value,key=value`, and in the file that `config` names, one
`key=value` a line, `#` comments. The option string wins over the file; a key given twice in one of
them is an error. Lists inside a value are joined by `+`. Durations carry a unit (`ms`, `s`, `m`),
shares a `%`; numbers have at most three decimals. A band `threshold:duration` is reached once the
value was at or above the threshold for the duration.

Anything wrong is reported, all of it, in the log and over JMX. Then the agent stays off and the
application runs as if it was not there.

)";

}  // namespace

std::string optionDocs() {
  std::string text(kIntroduction);
  text.append("| key | default | accepted | at run time | meaning |\n");
  text.append("| --- | --- | --- | --- | --- |\n");
  for (const OptionSpec& spec : optionTable()) {
    const std::string defaultText =
        spec.defaultText.empty() ? "" : "`" + std::string(spec.defaultText) + "`";
    text.append("| `").append(spec.key).append("` | ").append(defaultText);
    text.append(" | ").append(spec.type);
    if (!spec.unit.empty()) {
      text.append(" (").append(spec.unit).append(")");
    }
    text.append(": ").append(spec.accepted);
    text.append(" | ").append(spec.changeable ? "yes" : "no");
    text.append(" | ").append(spec.help).append(" |\n");
  }
  return text;
}

}  // namespace hodor::options
