#pragma once
// The file system as a judgement saw it (seen.hpp): answers the same questions again, and those whose answer
// follows from others. What is not there may be asked of the file system of today.

#include <optional>
#include <string>
#include <vector>

#include "policy/path/seen.hpp"
#include "policy/scene.hpp"
#include "proxy/base/by_text.hpp"

namespace policy {

enum class AskToday {
  nothing,
  texts,  // that are on record by their digest, and have not changed
  all     // that is not on record
};

class Recalled final : public Links {
 public:
  // Borrows `today`.
  Recalled(Seen seen, const Links& today, AskToday ask);

  std::optional<std::string> target(const std::string& path) const override;
  bool may_have_links(const std::string& path) const override;
  Standing standing(const std::string& path) const override;
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const override;
  std::optional<std::string> text(const std::string& path, std::size_t most) const override;
  bool folds_case(const std::string& path) const override;

  // The first path of which something was asked that is not on record; whether it was asked of today is for
  // AskToday. nullopt: all was there.
  const std::optional<std::string>& missing() const { return missing_; }
  bool whole() const { return whole_; }

 private:
  bool is_no_link(std::string_view path) const;
  std::optional<Standing> listed(std::string_view path) const;
  // Nothing of it is on record: whether today is asked.
  bool miss(const std::string& path) const;

  const Links& today_;
  AskToday ask_;
  bool whole_;
  base::ByText<bool> plain_;
  base::ByText<Standing> standing_;
  base::ByText<std::string> targets_;
  base::ByText<bool> folds_;
  base::ByText<Seen::List> lists_;
  base::ByText<Seen::Text> texts_;
  mutable std::optional<std::string> missing_;
};

}  // namespace policy
