#include "examples/agent/match.hpp"

namespace agent {

namespace {

// What find() gives for a member that is not there.
const Json absent(Json::value_t::discarded);

std::string shown(const Json& value) {
  if (value.is_discarded()) return "nothing";
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 300) text = text.substr(0, 300) + "…";
  return text;
}

std::string differs(const std::string& place, const Json& expected, const Json& found) {
  return (place.empty() ? std::string() : place + ": ") + "expected " + shown(expected) + ", found " +
         shown(found);
}

bool is_question(const Json& expected) {
  return expected.is_object() && expected.size() == 1 && expected.begin().key().rfind('$', 0) == 0;
}

std::string compare(const Json& expected, const Json& found, const std::string& place);

bool holds(const std::string& question, const Json& value, const Json& found) {
  if (question == "$absent") return found.is_discarded();
  if (found.is_discarded()) return false;
  if (question == "$any") return true;
  if (question == "$not") return !compare(value, found, "").empty();
  if (question == "$exactly") return value == found;
  if (question == "$at_most") return found.is_number() && found <= value;
  if (question == "$at_least") return found.is_number() && found >= value;
  if (question == "$contains") {
    return found.is_string() &&
           found.get_ref<const std::string&>().find(value.get_ref<const std::string&>()) != std::string::npos;
  }
  if (question == "$some") {
    for (const Json& item : found) {
      if (compare(value, item, "").empty()) return true;
    }
  }
  return false;  // an unknown question never holds
}

std::string compare(const Json& expected, const Json& found, const std::string& place) {
  if (is_question(expected)) {
    const auto& question = expected.begin();
    return holds(question.key(), question.value(), found) ? std::string() : differs(place, expected, found);
  }
  if (found.is_discarded() || expected.type() != found.type()) {
    const bool numbers = expected.is_number() && found.is_number();
    return numbers && expected == found ? std::string() : differs(place, expected, found);
  }
  if (expected.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      const auto member = found.find(key);
      const std::string inside = place.empty() ? key : place + "." + key;
      std::string wrong = compare(value, member == found.end() ? absent : *member, inside);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }
  if (expected.is_array() && expected.size() == found.size()) {
    for (std::size_t at = 0; at < expected.size(); ++at) {
      std::string wrong = compare(expected[at], found[at], place + "[" + std::to_string(at) + "]");
      if (!wrong.empty()) return wrong;
    }
    return {};
  }
  return expected == found ? std::string() : differs(place, expected, found);
}

}  // namespace

std::string mismatch(const Json& expected, const Json& found) { return compare(expected, found, ""); }

}  // namespace agent
