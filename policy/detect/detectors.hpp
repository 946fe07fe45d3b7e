#pragma once
// Looks for kinds of text that a rule names by a word: `@secrets`, `@payment`, `@injection`. What they are is
// data, catalogue/detectors.toml. A text is looked at as it stands and in its decodings (decode.hpp).
// Nothing is compiled before a group is first asked for; afterwards all is immutable and thread-safe.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/detect/checks.hpp"
#include "policy/detect/decode.hpp"
#include "proxy/base/error.hpp"

namespace policy::detect {

// Told of a text that holds more encoded text than is looked through: it may be anything.
inline constexpr std::string_view too_encoded = "encoded-over-and-over";

struct Detector {
  std::string id;
  std::string pattern;  // RE2; empty: the check looks at the whole text
  Check check = nullptr;
};

// The detectors behind one word, compiled together.
class Group {
 public:
  // Error: one that does not compile.
  static base::Result<std::shared_ptr<const Group>> compile(std::vector<Detector> detectors,
                                                            const std::vector<std::string>& documented);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // Ids of what is in the text, sorted, each once. Linear in the text, whatever it holds.
  std::vector<std::string> find(const Readings& text) const;
  // Whether there is anything; stops at the first.
  bool any(const Readings& text) const;
  bool any_as_it_stands(std::string_view text) const;
  // Offset and size of what expressions find in the text as it stands, in any order. What is found in its
  // decodings, or by a look at the whole text, has no place in it: ask any() of what is left.
  std::vector<std::pair<std::size_t, std::size_t>> places(std::string_view text) const;

 private:
  struct Compiled;
  explicit Group(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

class Detectors {
 public:
  // Error: which detector, with place.
  static base::Result<Detectors> read(std::string_view toml);
  std::vector<std::string_view> groups() const;
  // Error: no such group, or one that does not compile.
  base::Result<std::shared_ptr<const Group>> compile(std::string_view group) const;

 private:
  std::map<std::string, std::vector<Detector>, std::less<>> groups_;
  std::vector<std::string> documented_;  // values that are no secret wherever they stand
};

// A group of the embedded catalogue, compiled once. `name` without its `@`.
base::Result<std::shared_ptr<const Group>> built_in_group(std::string_view name);

}  // namespace policy::detect
