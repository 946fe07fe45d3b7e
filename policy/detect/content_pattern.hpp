#pragma once
// One entry of the keys `content` and `result`: an expression, or detectors by the name of their group. A
// text is looked at as it stands and in its decodings (decode.hpp).

#include <memory>
#include <string>
#include <string_view>

#include "policy/detect/detectors.hpp"
#include "policy/pattern/pattern.hpp"

namespace policy {

class ContentPattern {
 public:
  // `@` and lower-case letters: a group of detectors (detect/detectors.hpp). Else RE2, a part of the text is
  // enough in every rule: nobody describes a whole file. A text that is `@name` is written `[@]name`.
  static base::Result<ContentPattern> compile(std::string_view text);
  // Whether anything is found. Under permit only in the text as it stands.
  bool matches(const detect::Readings& content, Stance stance) const;
  // What is found: the ids of detectors, `expression`, or detect::too_encoded.
  std::vector<std::string> found(const detect::Readings& content) const;
  // Where; what is found and stands nowhere (encoded, or a look at the whole) is not told.
  std::vector<Stretch> stretches(std::string_view content) const;
  // What matching costs (steps.hpp); making the readings is not in it.
  std::size_t steps(const detect::Readings& content) const;
  const std::string& text() const { return text_; }
  bool names_detectors() const { return group_ != nullptr; }

 private:
  bool expression_matches(const detect::Readings& content) const;

  std::string text_;
  Expression expression_;                       // where there is no group
  std::shared_ptr<const detect::Group> group_;  // shared by every rule that names it
};

}  // namespace policy
