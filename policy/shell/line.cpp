#include "policy/shell/line.hpp"

#include "policy/shell/walker.hpp"

namespace policy::shell {

base::Result<std::vector<Simple>> read_line(std::string_view line, Dialect dialect,
                                            const Surroundings& surroundings, State start, Input input) {
  Walker walker(dialect, surroundings);
  walker.give(std::move(input));
  walker.line(line, start);
  walker.uncalled_functions();
  walker.variables_set();
  if (walker.error()) return *walker.error();
  return walker.take();
}

}  // namespace policy::shell
