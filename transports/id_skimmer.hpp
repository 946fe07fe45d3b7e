#pragma once
// Reads the top-level id out of a message that is refused: broken, too deep or too long to keep. Takes any
// bytes in pieces, keeps a few hundred of them, never fails. What it reads decides nothing: it only addresses
// the error.

#include <cstddef>
#include <string>
#include <string_view>

#include "transports/message.hpp"

namespace transports {

class IdSkimmer {
 public:
  void push(std::string_view bytes);
  // `error` and `code` as given, with the id and whether somebody waits for the answer.
  Refusal refusal(int code, base::Error error) const;

 private:
  void character(char byte);
  void structure(char byte);
  void string_ended();
  void value_ended();

  enum class State { before, text, string, escape, done };
  State state_ = State::before;
  std::size_t depth_ = 0;
  bool key_next_ = true;   // at depth 1: the next string is a key
  bool overlong_ = false;  // the token did not fit
  std::string token_;      // the string or bare word being read at depth 1
  std::string key_;
  std::string id_;
  bool ambiguous_ = false;  // two ids that differ
  bool id_seen_ = false;
  bool method_seen_ = false;
  bool answer_seen_ = false;  // `result` or `error`
};

}  // namespace transports
