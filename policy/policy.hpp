#pragma once
// A policy: all rules of all layers, compiled, judged together. Immutable once loaded.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/decision.hpp"
#include "policy/history.hpp"
#include "policy/scene.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"

namespace policy {

// A file that is larger is refused.
inline constexpr std::size_t policy_bytes_max = 1u << 20;

// The bytes of one policy file and where they stand.
struct Source {
  Layer layer = Layer::built_in;
  std::string file;     // shown in errors and reasons
  std::string bytes;    // TOML
  bool trusted = true;  // repository only: its allows count, the default may loosen, `ignore` holds
};

struct CompiledRules;  // rule/rule.hpp
struct Grant;          // grant.hpp
struct Catalogue;      // catalogue/catalogue.hpp

class Policy {
 public:
  // Whole or not at all. Error: place `file:line:column`. With no source the embedded baseline stands.
  // `home` and `workspace` anchor `~` and relative patterns.
  static base::Result<Policy> load(const std::vector<Source>& sources, const std::string& workspace,
                                   const std::string& home);

  // Described and decided, and once more where a rule redirects the call (judge.hpp). Never throws, never
  // fails: what cannot be understood is opaque. `history` counts only where tallies() has some; left out,
  // nothing of it is known.
  Decision judge(const Call& call, const Scene& scene, const History& history = {}) const;
  // Of a call that judge() decides ASK: ALLOW, where the grants answer all that is asked; else nothing, and
  // all of it is asked.
  std::optional<Decision> judge_granted(const Call& call, const Scene& scene, const History& history,
                                        const std::vector<Grant>& grants) const;
  // What earlier calls are counted for; empty: no history is needed.
  const std::vector<Tally>& tallies() const;

  // SHA-256 over layer names, files' bytes and trust, in layer order: the policy digest of records.
  const base::Digest& digest() const { return digest_; }
  const std::vector<Source>& sources() const { return sources_; }
  const CompiledRules& rules() const { return *rules_; }
  const Catalogue& catalogue() const { return *catalogue_; }

 private:
  std::shared_ptr<const CompiledRules> rules_;
  std::shared_ptr<const Catalogue> catalogue_;
  std::vector<Source> sources_;
  base::Digest digest_{};
};

}  // namespace policy
