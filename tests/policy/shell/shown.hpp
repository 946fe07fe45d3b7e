#pragma once
// A tree as one line of text, to compare with.

#include <string>

#include "policy/shell/tree.hpp"

namespace shell_tests {

using namespace policy::shell;

std::string shown(const List& list);

inline std::string shown(const Word& word) {
  std::string text;
  for (const Part& part : word.parts) {
    const auto inside = [&part] {
      std::string words;
      for (const Word& each : part.words) words += "|" + shown(each);
      return words;
    };
    std::string one;
    switch (part.kind) {
      case Part::Kind::literal: one = part.quoted ? "'" + part.text + "'" : part.text; break;
      case Part::Kind::parameter:
        one = "$" + part.text;
        if (!part.operation.empty()) one += "{" + part.operation + inside() + "}";
        break;
      case Part::Kind::command: one = "$[" + shown(*part.list) + "]"; break;
      case Part::Kind::process: one = "<[" + shown(*part.list) + "]"; break;
      case Part::Kind::arithmetic:
        one = "$((";
        for (const Part& each : part.words.front().parts)
          one += each.kind == Part::Kind::literal   ? each.text
                 : each.kind == Part::Kind::command ? "$[" + shown(*each.list) + "]"
                                                    : "$" + each.text;
        one += "))";
        break;
      case Part::Kind::glob: one = part.text; break;
      case Part::Kind::tilde: one = "~" + part.text; break;
      case Part::Kind::brace: one = part.words.empty() ? part.text : "{" + inside().substr(1) + "}"; break;
    }
    const bool marked =
        part.quoted && part.kind != Part::Kind::literal && part.kind != Part::Kind::arithmetic;
    text += marked ? "\"" + one + "\"" : one;
  }
  return text;
}

inline std::string shown(const std::vector<Element>& elements) {
  std::string text;
  for (const Element& each : elements) {
    text += text.empty() ? "" : " ";
    if (each.subscript) text += "[" + shown(*each.subscript) + "]=";
    text += shown(each.value);
  }
  return text;
}

inline std::string shown(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) text += (text.empty() ? "" : " ") + shown(word);
  return text;
}

inline std::string shown(const std::vector<Redirect>& redirects) {
  static const char* const names[] = {"<", ">", ">>", "<>", "&>", "&>>", ">&", "<<", "<<<"};
  std::string text;
  for (const Redirect& each : redirects) {
    const bool document = each.kind == Redirect::Kind::document;
    const std::string number = each.descriptor.find_first_not_of("0123456789") == std::string::npos
                                   ? each.descriptor
                                   : "{" + each.descriptor + "}";
    text += (text.empty() || document ? "" : " ") + number + names[static_cast<int>(each.kind)] +
            (document ? shown(*each.document) : shown(each.word));
  }
  return text;
}

inline std::string shown(const Command& command) {
  std::string text;
  switch (command.kind) {
    case Command::Kind::simple:
      for (const Assignment& each : command.assignments)
        text += (text.empty() ? "" : " ") + each.name + "=" +
                (each.array ? "[" + shown(each.elements) + "]" : shown(each.value));
      if (!command.words.empty()) text += (text.empty() ? "" : " ") + shown(command.words);
      text = "(" + text + ")";
      break;
    case Command::Kind::group: text = "{[" + shown(command.body) + "]"; break;
    case Command::Kind::subshell: text = "sub[" + shown(command.body) + "]"; break;
    case Command::Kind::if_clause:
    case Command::Kind::loop:
      text = command.kind == Command::Kind::loop ? "loop" : "if";
      for (const List& part : command.parts) text += "[" + shown(part) + "]";
      break;
    case Command::Kind::for_each:
    case Command::Kind::for_count:
      text = "for " + command.name + " " + shown(command.words) + " [" + shown(command.body) + "]";
      break;
    case Command::Kind::case_clause:
      text = "case " + shown(command.words);
      for (const CaseArm& arm : command.arms) text += " " + shown(arm.patterns) + "[" + shown(arm.body) + "]";
      break;
    case Command::Kind::arithmetic: text = shown(command.words); break;
    case Command::Kind::condition: text = "[[" + shown(command.words) + "]]"; break;
    case Command::Kind::function: text = command.name + "()[" + shown(command.body) + "]"; break;
    case Command::Kind::coprocess: text = "coproc" + command.name + "[" + shown(command.body) + "]"; break;
  }
  return text + shown(command.redirects);
}

inline std::string shown(const List& list) {
  std::string text;
  for (const Step& step : list.steps) {
    static const char* const joints[] = {"", "&", "&&", "||"};
    if (!text.empty()) text += " ";
    text += std::string(joints[static_cast<int>(step.joint)]) + (step.pipeline.negated ? "!" : "");
    for (std::size_t i = 0; i < step.pipeline.commands.size(); ++i)
      text += (i == 0 ? "" : "|") + shown(step.pipeline.commands[i]);
  }
  return text;
}

}  // namespace shell_tests
