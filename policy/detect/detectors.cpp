#include "policy/detect/detectors.hpp"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <mutex>

#include "proxy/base/check.hpp"
#include "proxy/base/text.hpp"

namespace policy::detect {
namespace {

// The automata of a group grow with what they meet; past this they begin anew, and past that RE2 gives up.
constexpr std::int64_t memory_max = 64 << 20;

re2::RE2::Options options() {
  re2::RE2::Options chosen;
  chosen.set_log_errors(false);
  chosen.set_max_mem(memory_max);
  return chosen;
}

base::Error does_not_compile(const Detector& detector, const std::string& why) {
  return base::Error(base::Code::invalid, "the detector " + base::quoted(detector.id) +
                                              " does not compile: " + base::printable(why));
}

// Compiled when its set says that it may match: most never are, and together they take longest of all.
class OnePattern {
 public:
  const re2::RE2& compiled(const std::string& pattern) {
    std::call_once(once_, [&] { compiled_ = std::make_unique<const re2::RE2>(pattern, options()); });
    CHECK(compiled_->ok());  // the set took it
    return *compiled_;
  }

 private:
  std::once_flag once_;
  std::unique_ptr<const re2::RE2> compiled_;
};

}  // namespace

struct Group::Compiled {
  std::vector<Detector> detectors;
  std::vector<std::string> documented;
  std::unique_ptr<re2::RE2::Set> patterns;
  std::vector<std::size_t> of_pattern;            // the detector of each pattern in the set
  std::vector<std::size_t> without;               // detectors without a pattern
  std::vector<std::unique_ptr<OnePattern>> each;  // as detectors

  bool is_documented(std::string_view match) const {
    return std::any_of(documented.begin(), documented.end(),
                       [&](const std::string& value) { return match.find(value) != std::string_view::npos; });
  }

  // Whether one match of the detector passes its check.
  bool confirmed(std::size_t detector, std::string_view text) const {
    return !each_confirmed(detector, text, [](std::size_t, std::size_t) { return false; });
  }

  // hit(offset, size) of each match that passes the check; false from it ends the search, and is returned.
  template <class Hit>
  bool each_confirmed(std::size_t detector, std::string_view text, Hit hit) const {
    const Check check = detectors[detector].check;
    const re2::RE2& pattern = each[detector]->compiled(detectors[detector].pattern);
    re2::StringPiece found[2];
    const int groups = std::min(pattern.NumberOfCapturingGroups(), 1);
    for (std::size_t at = 0; at <= text.size();) {
      const re2::StringPiece piece(text.data(), text.size());
      if (!pattern.Match(piece, at, text.size(), re2::RE2::UNANCHORED, found, groups + 1)) return true;
      const re2::StringPiece& match = found[groups];
      const std::string_view seen(match.data() == nullptr ? text.data() : match.data(), match.size());
      const auto start = static_cast<std::size_t>(found[0].data() - text.data());
      if (!is_documented(seen) && (check == nullptr || check(seen)) && !hit(start, found[0].size()))
        return false;
      at = std::max(start + found[0].size(), at + 1);
    }
    return true;
  }

  // Calls hit(detector) for what is in this text; false from it ends the search.
  template <class Hit>
  bool search(std::string_view text, Hit hit) const {
    std::vector<int> matched;
    re2::RE2::Set::ErrorInfo error{};
    const bool any = patterns->Match(re2::StringPiece(text.data(), text.size()), &matched, &error);
    if (!any && error.kind != re2::RE2::Set::kNoError) {
      // It could not say: then each is asked.
      for (std::size_t i = 0; i < of_pattern.size(); ++i) matched.push_back(static_cast<int>(i));
    }
    for (const int pattern : matched) {
      const std::size_t detector = of_pattern[static_cast<std::size_t>(pattern)];
      const bool asked = detectors[detector].check != nullptr || !any;
      if ((!asked || confirmed(detector, text)) && !hit(detector)) return false;
    }
    for (const std::size_t detector : without)
      if (detectors[detector].check(text) && !hit(detector)) return false;
    return true;
  }

  // hit(id); false from it ends the search.
  template <class Hit>
  void search_all(const Readings& text, Hit hit) const {
    const auto hit_detector = [&](std::size_t detector) { return hit(detectors[detector].id); };
    if (!search(text.text, hit_detector)) return;
    for (const std::string& decoded : text.decoded)
      if (!search(decoded, hit_detector)) return;
    if (!text.complete) hit(too_encoded);
  }
};

Group::Group(std::unique_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
Group::~Group() = default;

base::Result<std::shared_ptr<const Group>> Group::compile(std::vector<Detector> detectors,
                                                          const std::vector<std::string>& documented) {
  auto compiled = std::make_unique<Compiled>();
  compiled->documented = documented;
  compiled->patterns = std::make_unique<re2::RE2::Set>(options(), re2::RE2::UNANCHORED);
  for (std::size_t i = 0; i < detectors.size(); ++i) {
    const Detector& detector = detectors[i];
    compiled->each.push_back(std::make_unique<OnePattern>());
    if (detector.pattern.empty()) {
      compiled->without.push_back(i);
      continue;
    }
    std::string why;
    if (compiled->patterns->Add(detector.pattern, &why) < 0) return does_not_compile(detector, why);
    compiled->of_pattern.push_back(i);
  }
  if (!compiled->patterns->Compile())
    return base::Error(base::Code::limit, "the detectors do not fit into the memory they may have");
  compiled->detectors = std::move(detectors);
  return std::shared_ptr<const Group>(new Group(std::move(compiled)));
}

std::vector<std::string> Group::find(const Readings& text) const {
  std::vector<std::string> ids;
  compiled_->search_all(text, [&](std::string_view id) {
    ids.emplace_back(id);
    return true;
  });
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::vector<std::pair<std::size_t, std::size_t>> Group::places(std::string_view text) const {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const std::size_t detector : compiled_->of_pattern)
    compiled_->each_confirmed(detector, text, [&](std::size_t offset, std::size_t size) {
      places.emplace_back(offset, size);
      return true;
    });
  return places;
}

bool Group::any_as_it_stands(std::string_view text) const {
  return !compiled_->search(text, [](std::size_t) { return false; });
}

bool Group::any(const Readings& text) const {
  bool found = false;
  compiled_->search_all(text, [&](std::string_view) {
    found = true;
    return false;
  });
  return found;
}

}  // namespace policy::detect
