#include "policy/shell/parse.hpp"

#include "policy/shell/parser.hpp"

namespace policy::shell {

base::Result<List> parse(std::string_view line) {
  if (line.size() > line_bytes_max)
    return base::Error(base::Code::limit, "it has more than " + std::to_string(line_bytes_max) + " bytes",
                       "0");
  Budget budget;
  return Parser(line, budget).whole();
}

}  // namespace policy::shell
