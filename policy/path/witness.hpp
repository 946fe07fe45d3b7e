#pragma once
// Remembers what a file system said to one judgement, so that it can be put on record (seen.hpp).

#include <optional>
#include <string>
#include <vector>

#include "policy/path/seen.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t seen_answers_max = 10'000;  // past these none is remembered

class Witness final : public Links {
 public:
  // Borrows.
  explicit Witness(const Links& links) : links_(links) {}

  std::optional<std::string> target(const std::string& path) const override;
  bool may_have_links(const std::string& path) const override;
  Standing standing(const std::string& path) const override;
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const override;
  std::optional<std::string> text(const std::string& path, std::size_t most) const override;
  bool folds_case(const std::string& path) const override;

  // In the order of the payload, each once. Not whole where the same question had two answers.
  Seen seen() const;

 private:
  bool room() const;

  const Links& links_;
  mutable Seen seen_;
  mutable std::size_t answers_ = 0;
};

}  // namespace policy
