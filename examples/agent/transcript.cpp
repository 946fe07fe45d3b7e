#include "examples/agent/transcript.hpp"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>

namespace agent {

namespace {

constexpr std::size_t shown_bytes_max = 400;

// One line without control characters, cut with a mark.
std::string tame(const std::string& text) {
  std::string made;
  for (const char character : text.substr(0, shown_bytes_max)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte == '\n')
      made += " ⏎ ";
    else if (byte < 0x20 || byte == 0x7f)
      made += '.';
    else
      made += character;
  }
  if (text.size() > shown_bytes_max) made += "… (" + std::to_string(text.size()) + " bytes)";
  return made;
}

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string describe_answer(const Json& message) {
  const std::string id = "answer " + compact(message.value("id", Json()));
  if (message.contains("error")) {
    const Json& error = message["error"];
    return id + ": error " + compact(error.value("code", Json())) + ", " +
           error.value("message", Json("")).dump();
  }
  const Json& result = message["result"];
  std::string text;
  if (result.is_object() && result.contains("content") && result["content"].is_array()) {
    for (const Json& item : result["content"]) {
      if (item.is_object() && item.contains("text") && item["text"].is_string())
        text += item["text"].get<std::string>();
    }
    const bool refused = result.value("isError", Json(false)) == Json(true);
    return id + (refused ? " (error): " : ": ") + text;
  }
  return id + ": " + compact(result);
}

std::string describe(const Json& message) {
  if (!message.is_object()) return compact(message);
  if (!message.contains("method")) {
    return message.contains("result") || message.contains("error") ? describe_answer(message)
                                                                   : compact(message);
  }
  const Json params = message.value("params", Json::object());
  std::string text =
      message["method"].is_string() ? message["method"].get<std::string>() : compact(message["method"]);
  if (text == "tools/call" && params.is_object()) {
    text += " " + params.value("name", Json("")).dump() + " " +
            compact(params.value("arguments", Json::object()));
  } else if (!params.empty()) {
    text += " " + compact(params);
  }
  if (message.contains("id")) text = "request " + compact(message["id"]) + ": " + text;
  return text;
}

}  // namespace

Transcript::Transcript(std::string who, Detail detail)
    : who_(std::move(who)),
      detail_(detail),
      colour_(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {}

void Transcript::print(const char* colour, const char* mark, const std::string& text) const {
  const std::string line =
      (colour_ ? colour : "") + who_ + " " + mark + " " + text + (colour_ ? "\033[0m\n" : "\n");
  std::fwrite(line.data(), 1, line.size(), stdout);  // one write: several transcripts share a terminal
  std::fflush(stdout);
}

void Transcript::sent(const Json& message) const {
  if (detail_ == Detail::messages) print("\033[36m", "→", tame(describe(message)));
}

void Transcript::sent_raw(const std::string& line) const {
  if (detail_ == Detail::messages) print("\033[36m", "→ raw:", tame(line));
}

void Transcript::received(const Json& message) const {
  if (detail_ == Detail::messages) print("\033[32m", "←", tame(describe(message)));
}

void Transcript::note(const std::string& text) const { print("\033[1m", "·", tame(text)); }

}  // namespace agent
