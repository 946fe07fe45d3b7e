#pragma once
// One entry of the keys `content` and `result`: an expression, or detectors by the name of their group.

#include <memory>
#include <string>
#include <string_view>

#include "policy/detect/detectors.hpp"
#include "policy/pattern.hpp"

namespace policy {

class ContentPattern {
 public:
  // `@` and lower-case letters: a group of detectors (detect/detectors.hpp). Else RE2, a part of the text is
  // enough in every rule: nobody describes a whole file. A text that is `@name` is written `[@]name`.
  static base::Result<ContentPattern> compile(std::string_view text);
  bool matches(std::string_view content) const;
  // What matches: the ids of detectors, or `expression`. None: nothing does.
  std::vector<std::string> found(std::string_view content) const;
  // Where; what is found and stands nowhere (encoded, or a look at the whole) is not told.
  std::vector<Stretch> stretches(std::string_view content) const;
  // What matching costs (steps.hpp).
  std::size_t steps(std::string_view content) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  Expression expression_;                       // where there is no group
  std::shared_ptr<const detect::Group> group_;  // shared by every rule that names it
};

}  // namespace policy
