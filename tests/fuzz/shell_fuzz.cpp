// Any bytes: a line is read or refused with a place in it, within the limits; every span lies in the line.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "policy/shell/parse.hpp"
#include "proxy/base/check.hpp"

namespace {

using namespace policy::shell;

struct Walk {
  std::size_t size;
  std::size_t commands = 0;

  void at(const Span& span) const { CHECK(span.begin <= span.end && span.end <= size); }
  void words(const std::vector<Word>& all) {
    for (const Word& each : all) word(each);
  }
  void word(const Word& word) {
    at(word.span);
    for (const Part& part : word.parts) {
      at(part.span);
      words(part.words);
      if (part.list) list(*part.list);
    }
  }
  void list(const List& list) {
    for (const Step& step : list.steps)
      for (const Command& each : step.pipeline.commands) command(each);
  }
  void command(const Command& command) {
    ++commands;
    at(command.span);
    words(command.words);
    for (const Assignment& each : command.assignments) {
      word(each.value);
      if (each.subscript) word(*each.subscript);
      for (const Element& element : each.elements) {
        if (element.subscript) word(*element.subscript);
        word(element.value);
      }
    }
    for (const Redirect& each : command.redirects) {
      word(each.word);
      if (each.document) word(*each.document);
    }
    list(command.body);
    for (const List& part : command.parts) list(part);
    for (const CaseArm& arm : command.arms) {
      words(arm.patterns);
      list(arm.body);
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse(line);
  if (!parsed) {
    CHECK(!parsed.error().place().empty() && std::stoul(parsed.error().place()) <= size);
    return 0;
  }
  Walk walk{size};
  walk.list(*parsed);
  CHECK(walk.commands <= commands_max);
  return 0;
}
