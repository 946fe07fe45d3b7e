#pragma once
// Links as they were when one judgement first asked: many paths of a call have folders in common, and each
// question to a file system is a system call.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "policy/scene.hpp"
#include "proxy/base/by_text.hpp"

namespace policy {

inline constexpr std::size_t known_links_max = 10'000;   // past these each is asked for
inline constexpr std::size_t known_text_max = 1u << 16;  // a longer text is read each time
inline constexpr std::size_t listed_after = 16;          // questions about what stands in one folder
inline constexpr std::size_t listed_entries_max = 1000;  // a larger folder is not listed

class KnownLinks final : public Links {
 public:
  // Borrows.
  explicit KnownLinks(const Links& links) : links_(links) {}

  std::optional<std::string> target(const std::string& path) const override;
  bool may_have_links(const std::string& path) const override;
  Standing standing(const std::string& path) const override;
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const override;
  std::optional<std::string> text(const std::string& path, std::size_t most) const override;
  bool folds_case(const std::string& path) const override;

 private:
  struct Known {
    std::optional<Standing> standing;
    std::optional<std::optional<std::string>> target;
    std::optional<bool> folds;
    // As a folder:
    bool plain = false;  // neither it nor any above it is a link
    std::size_t asked = 0;
    std::shared_ptr<const std::unordered_set<std::string>> links;  // what of it is a link, once it is listed
  };

  // As last told. Without an answer, by what most.
  template <class Answer>
  struct Told {
    std::optional<Answer> answer;
    std::size_t most = 0;
    // Whether that tells what is asked.
    bool tells(std::size_t asked) const { return answer || asked <= most; }
  };

  // nullptr: nothing yet, and no room for it.
  Known* of(std::string_view path) const;
  // Whether a list of its folder says so.
  bool no_link(std::string_view path) const;
  bool in_plain_folder(std::string_view path) const;
  void know_plain(std::string_view path) const;

  const Links& links_;
  mutable base::ByText<Known> known_;  // by path; "" is the root
  mutable base::ByText<Told<std::vector<Entry>>> lists_;
  mutable base::ByText<Told<std::string>> texts_;
  mutable bool met_link_ = false;  // or who is asked cannot tell: then each name is asked for
};

}  // namespace policy
