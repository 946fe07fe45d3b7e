#include "transports/id_skimmer.hpp"

#include "proxy/base/json_string.hpp"
#include "transports/id.hpp"

namespace transports {
namespace {

bool white(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

// The key that a raw string with quotes means; empty when it is broken.
std::string meaning(const std::string& raw) {
  const auto scan = base::json::scan_string(raw.data() + 1, raw.data() + raw.size());
  return scan.problem == nullptr ? base::json::unescaped(raw) : "";
}

}  // namespace

void IdSkimmer::push(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size() && state_ != State::done; ++i) {
    if (state_ == State::string && depth_ > 1) {
      // Text that is not kept: the bulk of a long line.
      const char* const next = base::json::skip_plain(bytes.data() + i, bytes.data() + bytes.size());
      i = static_cast<std::size_t>(next - bytes.data());
      if (i == bytes.size()) return;
    }
    character(bytes[i]);
  }
}

void IdSkimmer::character(char byte) {
  const bool kept = depth_ == 1 && (state_ == State::string || state_ == State::escape);
  if (kept) {
    if (token_.size() < id_bytes_max)
      token_ += byte;
    else
      overlong_ = true;
  }
  switch (state_) {
    case State::before:
      if (byte == '{') {
        state_ = State::text;
        depth_ = 1;
      } else if (!white(byte) && byte != '\xEF' && byte != '\xBB' && byte != '\xBF') {
        state_ = State::done;  // not an object
      }
      return;
    case State::escape: state_ = State::string; return;
    case State::string:
      if (byte == '\\') state_ = State::escape;
      if (byte == '"') string_ended();
      return;
    case State::text: structure(byte); return;
    case State::done: return;
  }
}

void IdSkimmer::structure(char byte) {
  switch (byte) {
    case '"':
      state_ = State::string;
      if (depth_ != 1) return;
      token_ = '"';
      overlong_ = false;
      return;
    case '{':
    case '[':
      if (depth_ == 1) token_ = byte;  // no id
      ++depth_;
      return;
    case '}':
    case ']':
      if (depth_ == 1) {
        value_ended();
        state_ = State::done;
        return;
      }
      --depth_;
      return;
    case ',':
      if (depth_ == 1) value_ended();
      return;
    case ':':
      if (depth_ != 1) return;
      key_next_ = false;
      token_.clear();
      overlong_ = false;
      return;
    default:
      if (depth_ != 1 || white(byte)) return;
      if (token_.size() < id_bytes_max)
        token_ += byte;
      else
        overlong_ = true;
  }
}

void IdSkimmer::string_ended() {
  state_ = State::text;
  if (depth_ != 1 || !key_next_) return;
  key_ = overlong_ ? "" : meaning(token_);
  method_seen_ = method_seen_ || key_ == "method";
  answer_seen_ = answer_seen_ || key_ == "result" || key_ == "error";
}

void IdSkimmer::value_ended() {
  if (!key_next_ && key_ == "id") {
    const std::string found = overlong_ || !echoable_id(token_) ? "" : token_;
    ambiguous_ = ambiguous_ || (id_seen_ && found != id_);
    id_ = found;
    id_seen_ = true;
  }
  key_next_ = true;
  key_.clear();
  token_.clear();
}

Refusal IdSkimmer::refusal(int code, base::Error error) const {
  Refusal refusal;
  refusal.id = ambiguous_ ? "" : id_;
  refusal.code = code;
  refusal.error = std::move(error);
  const bool response = answer_seen_ && !method_seen_;
  const bool notification = method_seen_ && !id_seen_ && state_ == State::done;
  refusal.answerable = !response && !notification;
  refusal.request = method_seen_ && !answer_seen_;
  return refusal;
}

}  // namespace transports
