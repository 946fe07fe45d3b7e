#pragma once
// What the scripted agent shows of its talk: one line a message, readable, safe to print.

#include <string>

#include "examples/agent/match.hpp"

namespace agent {

class Transcript {
 public:
  enum class Detail { none, messages };
  // `who` begins each line. Colour only on a terminal and never with NO_COLOR.
  Transcript(std::string who, Detail detail);

  void sent(const Json& message) const;
  void sent_raw(const std::string& line) const;
  void received(const Json& message) const;
  void note(const std::string& text) const;  // shown always

 private:
  void print(const char* colour, const char* mark, const std::string& text) const;

  std::string who_;
  Detail detail_;
  bool colour_;
};

}  // namespace agent
