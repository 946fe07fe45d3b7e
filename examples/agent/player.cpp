#include "examples/agent/player.hpp"

#include <fstream>
#include <sstream>
#include <thread>

namespace agent {

namespace {

constexpr std::chrono::milliseconds look_every{5};
constexpr std::chrono::milliseconds never_grace{20};  // for what is already in the pipe

std::string shell_word(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) {
    if (character == '\'')
      quoted += "'\\''";
    else
      quoted += character;
  }
  return quoted + "'";
}

// "text", or a list of texts and of [text, how often].
std::string raw_line(const Json& wanted) {
  if (wanted.is_string()) return wanted;
  std::string made;
  for (const Json& piece : wanted) {
    const bool once = piece.is_string();
    const std::string text = once ? piece : piece.at(0);
    for (std::size_t left = once ? 1 : piece.at(1).get<std::size_t>(); left > 0; --left) made += text;
  }
  return made;
}

}  // namespace

std::string substitute(const std::string& text, const std::map<std::string, std::string>& variables) {
  std::string made;
  std::size_t at = 0;
  for (std::size_t mark = 0; (mark = text.find("${", at)) != std::string::npos;) {
    const std::size_t end = text.find('}', mark);
    if (end == std::string::npos) break;
    const auto found = variables.find(text.substr(mark + 2, end - mark - 2));
    if (found == variables.end())
      throw Failed("unknown variable `" + text.substr(mark, end - mark + 1) + "`");
    made += text.substr(at, mark - at) + found->second;
    at = end + 1;
  }
  return made + text.substr(at);
}

Player::Player(const Setting& setting, Peer* peer, const Transcript& transcript)
    : setting_(setting), peer_(peer), transcript_(transcript) {}

void Player::play(const std::string& script) {
  std::istringstream lines(script);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '#') continue;
    try {
      step(Json::parse(substitute(line, setting_.variables)));
    } catch (const std::exception& error) {
      throw Failed("step " + std::to_string(number) + ": " + error.what());
    }
  }
}

void Player::step(const Json& step) {
  deadline_ = deadline(step);
  if (!message_step(step) && !event_step(step) && !operator_step(step))
    throw Failed("unknown step " + step.dump());
}

bool Player::message_step(const Json& step) {
  if (step.contains("initialize"))
    initialize(step["initialize"]);
  else if (step.contains("call"))
    call(step);
  else if (step.contains("send"))
    send(step["send"]);
  else if (step.contains("line")) {
    const std::string text = raw_line(step["line"]);
    transcript_.sent_raw(text);
    peer().write_line(text);
  } else if (step.contains("expect"))
    expect(step["expect"]);
  else if (step.contains("expect_line"))
    expect_line(step["expect_line"]);
  else if (step.contains("never"))
    never(step["never"]);
  else if (step.contains("end_input"))
    peer().end_input();
  else if (step.contains("expect_end"))
    expect_end(step["expect_end"]);
  else if (step.contains("signal"))
    peer().signal(step["signal"]);
  else
    return false;
  return true;
}

bool Player::event_step(const Json& step) {
  if (step.contains("say"))
    transcript_.note(step["say"]);
  else if (step.contains("touch"))
    std::ofstream(step["touch"].get<std::string>()).put('\n');
  else if (step.contains("wait_file")) {
    until(
        "the file", [](const std::string& path) { return std::ifstream(path).good(); }, step["wait_file"]);
  } else if (step.contains("wait_gone")) {
    until(
        "no process", [](const std::string& pid) { return !std::ifstream("/proc/" + pid + "/stat").good(); },
        step["wait_gone"]);
  } else if (step.contains("until")) {
    while (shell(step["until"]).status != 0) {
      if (std::chrono::steady_clock::now() > deadline_) throw Failed("never succeeded");
      std::this_thread::sleep_for(look_every);
    }
  } else if (step.contains("run")) {
    const Ran ran = shell(step["run"]);
    const Json found = {{"status", ran.status}, {"output", ran.output}};
    const std::string wrong = mismatch(step.value("result", Json{{"status", 0}}), found);
    if (!wrong.empty()) throw Failed(wrong + "; it printed: " + ran.output);
  } else {
    return false;
  }
  return true;
}

bool Player::operator_step(const Json& step) {
  if (step.contains("approve"))
    answer("approve", step["approve"], step);
  else if (step.contains("deny"))
    answer("deny", step["deny"], step);
  else if (step.contains("pending")) {
    std::string wrong = "?";
    while (!(wrong = mismatch(step["pending"], pending())).empty()) {
      if (std::chrono::steady_clock::now() > deadline_) throw Failed("pending: " + wrong);
      std::this_thread::sleep_for(look_every);
    }
  } else {
    return false;
  }
  return true;
}

void Player::initialize(const Json& options) {
  const Json id = options.value("id", Json(0));
  send({{"jsonrpc", "2.0"},
        {"id", id},
        {"method", "initialize"},
        {"params",
         {{"protocolVersion", options.value("protocol", "2025-11-25")},
          {"capabilities", options.value("capabilities", Json::object())},
          {"clientInfo",
           {{"name", options.value("name", "scripted-agent")},
            {"version", options.value("version", "1.0.0")}}}}}});
  expect({{"id", id}, {"result", options.value("expect", Json{{"protocolVersion", {{"$any", true}}}})}});
  send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
}

void Player::call(const Json& step) {
  const Json id = step.contains("id") ? step["id"] : Json(next_id_++);
  Json params = {{"name", step["call"]}, {"arguments", step.value("arguments", Json::object())}};
  if (step.contains("token")) params["_meta"] = {{"progressToken", step["token"]}};
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", params}});
  if (step.contains("answer")) {
    Json wanted = step["answer"];
    wanted["id"] = id;
    expect(wanted);
  } else if (step.contains("text") || step.contains("refused")) {
    const bool refused = step.contains("refused");
    const Json text = {{"text", {{"$contains", refused ? step["refused"] : step["text"]}}}};
    Json result = {{"content", {{"$some", text}}}};
    result["isError"] = refused ? Json(true) : Json{{"$not", true}};
    if (!refused) result.erase("isError");
    expect({{"id", id}, {"result", result}});
  }
}

void Player::send(const Json& message) {
  transcript_.sent(message);
  if (!peer().write_line(message.dump())) throw Failed("the server does not read any more");
}

bool Player::receive(Deadline deadline) {
  std::optional<std::string> line = peer().read_line(deadline);
  if (!line) return false;
  Json message = Json::parse(*line, nullptr, false);
  if (message.is_discarded()) message = Json{{"$no_json", *line}};
  transcript_.received(message);
  received_.push_back({std::move(*line), std::move(message)});
  return true;
}

Json Player::expect(const Json& wanted) {
  std::size_t next = 0;
  std::string nearest;
  while (true) {
    for (; next < received_.size(); ++next) {
      const std::string wrong = mismatch(wanted, received_[next].message);
      if (wrong.empty()) {
        Json found = std::move(received_[next].message);
        received_.erase(received_.begin() + static_cast<std::ptrdiff_t>(next));
        return found;
      }
      const bool same_id =
          wanted.contains("id") && received_[next].message.value("id", Json()) == wanted["id"];
      if (nearest.empty() || same_id) nearest = wrong;
    }
    if (!receive(deadline_)) {
      throw Failed((peer().output_ended() ? "the output ended before " : "nothing in time like ") +
                   wanted.dump() + (nearest.empty() ? "" : "; what came differs at " + nearest));
    }
  }
}

void Player::expect_line(const std::string& wanted) {
  std::size_t next = 0;
  while (true) {
    for (; next < received_.size(); ++next) {
      if (received_[next].line != wanted) continue;
      received_.erase(received_.begin() + static_cast<std::ptrdiff_t>(next));
      return;
    }
    if (!receive(deadline_)) {
      throw Failed("this line did not come: " + wanted +
                   (received_.empty() ? "" : "; the last one was: " + received_.back().line));
    }
  }
}

void Player::never(const Json& unwanted) {
  while (!peer().output_ended() && receive(std::chrono::steady_clock::now() + never_grace)) continue;
  for (const Received& received : received_) {
    if (matches(unwanted, received.message)) throw Failed("this must not come: " + received.line);
  }
}

void Player::expect_end(const Json& wanted) {
  while (receive(deadline_)) continue;
  if (!peer().output_ended()) throw Failed("its output did not end in time");
  const std::optional<int> status = peer().wait(deadline_);
  if (!status) throw Failed("it did not end in time");
  if (wanted.contains("status")) {
    const std::string wrong = mismatch(wanted["status"], *status);
    if (!wrong.empty()) throw Failed("exit status: " + wrong);
  }
}

Json Player::pending() {
  const Ran ran = shell(shell_word(setting_.callgate) + " pending --json");
  if (ran.status != 0) return Json::array();
  Json list = Json::parse(ran.output, nullptr, false);
  if (!list.is_array()) throw Failed("`callgate pending --json` printed no list: " + ran.output);
  return list;
}

void Player::answer(const std::string& verb, const Json& wanted, const Json& step) {
  while (true) {
    for (const Json& ask : pending()) {
      if (!matches(wanted, ask)) continue;
      const std::string id = ask.at("id").is_string() ? ask["id"].get<std::string>() : ask["id"].dump();
      std::string command = shell_word(setting_.callgate) + " " + verb + " " + shell_word(id);
      if (step.contains("reason")) command += " --reason " + shell_word(step["reason"]);
      const Ran ran = shell(command + " 2>&1");
      const std::string wrong = mismatch(step.value("status", Json(0)), ran.status);
      if (!wrong.empty()) throw Failed("`" + command + "`: " + wrong + "; it printed: " + ran.output);
      return;
    }
    if (std::chrono::steady_clock::now() > deadline_)
      throw Failed("nothing is pending like " + wanted.dump());
    std::this_thread::sleep_for(look_every);
  }
}

void Player::until(const std::string& what, bool (*holds)(const std::string&), const std::string& subject) {
  while (!holds(subject)) {
    if (std::chrono::steady_clock::now() > deadline_)
      throw Failed("waited in vain for " + what + " " + subject);
    std::this_thread::sleep_for(look_every);
  }
}

Deadline Player::deadline(const Json& step) const {
  const auto within = step.is_object() && step.contains("within_ms")
                          ? std::chrono::milliseconds(step["within_ms"].get<long>())
                          : setting_.within;
  return std::chrono::steady_clock::now() + within;
}

Peer& Player::peer() {
  if (peer_ == nullptr) throw Failed("this script has nobody to talk to");
  return *peer_;
}

Ran Player::shell(const std::string& command) {
  return run_shell(command, setting_.environment, setting_.directory, deadline_);
}

}  // namespace agent
