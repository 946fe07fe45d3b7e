#include "proxy/replay/stepper.hpp"

#include <charconv>
#include <utility>

#include "proxy/base/text.hpp"
#include "proxy/replay/filter.hpp"

namespace proxy::replay {
namespace {

constexpr std::size_t typed_bytes_max = 200;

Step say(std::string text) { return {Step::What::say, std::move(text)}; }

const Call* call_of(const Entry& entry) { return std::get_if<Call>(&entry); }

}  // namespace

Stepper::Stepper(const Timeline& timeline, std::vector<std::size_t> places)
    : timeline_(timeline), places_(std::move(places)) {}

template <class Fits>
Step Stepper::find(const Fits& fits, const std::string& none) {
  const std::size_t first = shown_before_ ? at_ + 1 : at_;
  shown_before_ = true;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::size_t at = (first + i) % places_.size();
    if (!fits(timeline_.entries[places_[at]])) continue;
    at_ = at;
    return {Step::What::show, at < first ? "from the beginning again" : ""};
  }
  return say(none);
}

Step Stepper::jump(const std::string& number) {
  std::uint64_t wanted = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), wanted);
  if (error != std::errc{} || end != number.data() + number.size())
    return say("no such command: " + base::quoted(number, 40) + "; ? shows them");
  for (std::size_t at = 0; at < places_.size(); ++at)
    if (const Call* call = call_of(timeline_.entries[places_[at]]);
        call != nullptr && call->number == wanted) {
      at_ = at;
      shown_before_ = true;
      return {Step::What::show, {}};
    }
  return say("call " + number + " is not among these");
}

Step Stepper::command(const std::string& command) {
  if (command == "q") return {Step::What::quit, {}};
  if (command == "?") return say(step_help);
  if (command == " ") return {Step::What::more, {}};
  if (command == "v")
    return find(
        [](const Entry& entry) { return call_of(entry) != nullptr && !call_of(entry)->breaches.empty(); },
        "no violation is among these");
  if (command == "d")
    return find(
        [](const Entry& entry) { return call_of(entry) != nullptr && call_of(entry)->decision == "DENY"; },
        "no denied call is among these");
  if (command.starts_with("/")) {
    if (command.size() > 1) search_ = command.substr(1);
    if (search_.empty()) return say("search for what? /TEXT");
    return find([&](const Entry& entry) { return mentions(entry, search_); },
                "not found: " + base::quoted(search_));
  }
  const bool next = command.empty() || command == "n";
  if (!next && command != "b") return jump(command);
  shown_before_ = true;
  if (next && at_ + 1 == places_.size()) return say("this is the last one");
  if (!next && at_ == 0) return say("this is the first one");
  at_ = next ? at_ + 1 : at_ - 1;
  return {Step::What::show, {}};
}

std::optional<std::string> StepKeys::key(unsigned char byte) {
  if (escape_ == Escape::begun) {
    escape_ = byte == '[' || byte == 'O' ? Escape::sequence : Escape::none;
    return std::nullopt;
  }
  if (escape_ == Escape::sequence) {
    if (byte < 0x40 || byte > 0x7E) return std::nullopt;
    escape_ = Escape::none;
    if (byte == 'B' || byte == 'C') return "n";
    if (byte == 'A' || byte == 'D') return "b";
    return std::nullopt;
  }
  if (byte == 0x1B) {
    escape_ = Escape::begun;
    typed_.clear();
    return std::nullopt;
  }
  if (byte == '\r' || byte == '\n') return std::exchange(typed_, {});
  if (byte == 0x7F || byte == 0x08) {
    while (!typed_.empty() && (static_cast<unsigned char>(typed_.back()) & 0xC0U) == 0x80U) typed_.pop_back();
    if (!typed_.empty()) typed_.pop_back();
    return std::nullopt;
  }
  const bool types = !typed_.empty() && (typed_[0] == '/' || (byte >= '0' && byte <= '9'));
  if (types || byte == '/' || (byte >= '0' && byte <= '9')) {
    if (byte >= 0x20 && typed_.size() < typed_bytes_max) typed_ += static_cast<char>(byte);
    return std::nullopt;
  }
  typed_.clear();
  if (byte < 0x20 || byte > 0x7E) return std::nullopt;
  return std::string(1, static_cast<char>(byte));
}

}  // namespace proxy::replay
