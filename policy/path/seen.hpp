#pragma once
// What one judgement saw of the file system: each question that it asked, and the answer. With the call, its
// scene, policy, history and grants it is all that the decision was made from.
//
// As payload `seen` of a decision, one JSON object; members that would be empty are left out, and paths in a
// list ascend by bytes, each once:
//
//   {"plain":[PATH,…],             neither the path nor any beginning of it is a link
//    "stands":[[PATH,WHAT],…],     WHAT: `nothing`, `directory`, `link`, or `file` and its hard links:
//    `file1` "links":[[PATH,TEXT],…],      what the link says "folds":[[PATH,true|false],…] whether names
//    there that differ in case only are one "entries":[[FOLDER,[NAME,…]],…]   in the order that they were
//    told; before each name `f`, `d` or `l`
//               [FOLDER,MOST]          not known, or more than so many
//    "texts":[[PATH,"text",TEXT],…]    UTF-8 without NUL
//             [PATH,"hex",HEX]         other bytes
//             [PATH,"sha256",HEX,SIZE] more than text_inline_max bytes
//             [PATH,"none",MOST]       no regular file, not readable, or more than so many bytes
//    "whole":false}                something was left out, since it was too much
//
// Paths, names and links' texts are bytes: where they are no UTF-8, each byte past 0x7f is `%XX`; `%` itself
// is always `%25`. (Lists, not objects by path: a path may be called like a secret.)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/scene.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"

namespace policy {

inline constexpr std::size_t seen_bytes_max = 256 * 1024;
inline constexpr std::size_t text_inline_max = 16 * 1024;  // of a text that is kept by its bytes

struct Seen {
  struct List {
    std::optional<std::vector<Links::Entry>> entries;
    std::size_t most = 0;  // of no entries: that it was asked for
  };
  enum class Part { none, bytes, digest };  // of a text
  struct Text {
    Part part = Part::none;
    std::string bytes;
    base::Digest digest{};
    std::size_t size = 0;  // of a digest the text's, of none the most that it was asked for
  };
  template <class Answer>
  using Answers = std::vector<std::pair<std::string, Answer>>;  // by path

  std::vector<std::string> plain;
  Answers<Links::Standing> standing;
  Answers<std::string> targets;
  Answers<bool> folds;
  Answers<List> lists;
  Answers<Text> texts;
  bool whole = true;

  bool empty() const;
};

// Empty: nothing was asked. At most seen_bytes_max bytes; what does not fit is left out, lists and texts
// first.
std::string seen_payload(const Seen& seen);

// Code::invalid: not exactly such a payload; Code::limit: longer than seen_bytes_max.
base::Result<Seen> seen_from_payload(std::string_view payload);

}  // namespace policy
