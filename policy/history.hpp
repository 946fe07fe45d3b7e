#pragma once
// What passed earlier in a mission, as far as rules with `after` or `rate` ask: an input of a decision, like
// the scene. Pure: who calls says what time it is and what was read.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace policy {

// What earlier calls are counted for. Kept of possible effects (deny, ask), of certain ones (allow), and of
// what a rule with a rate allowed.
enum class TallyKind { possible, certain, rate };
struct Tally {
  std::string id;  // 16 hex digits; the same in every process that judges by this rule
  TallyKind kind = TallyKind::possible;
  unsigned kinds = 0;    // of effects that can count: one bit for each EffectKind
  std::size_t keep = 1;  // how many calls it takes at most
};

// An earlier call, where it counts for something.
struct Passed {
  std::uint64_t call = 0;  // sequence of its decision; 0: under way, not on record yet
  std::int64_t time = 0;   // when it passed, UTC ns
  bool certain = true;     // false: it may have had such an effect
  bool operator==(const Passed&) const = default;
};

// The zero value knows nothing: what is denied or asked `after` something is, what is allowed is not.
class History {
 public:
  // Back from now; none: to the beginning of the mission.
  using Span = std::optional<std::chrono::nanoseconds>;

  // The first call of a mission.
  static History empty() { return known_from(0); }
  // `since`: UTC ns from when on everything is known; 0: all of the mission.
  static History known_from(std::int64_t since);

  // When the call is judged, UTC ns.
  std::int64_t now() const { return now_; }
  void set_now(std::int64_t now) { now_ = now; }
  // What passed before `since` may be missing; nothing: any of it.
  void forget(std::optional<std::int64_t> since) { known_since_ = since; }

  // In order of time. Of a tally no more is kept than `tally.keep`, the latest.
  void add(const Tally& tally, const Passed& passed);

  // How many passed within the span that ends now; no span: ever.
  std::size_t count(const std::string& tally, const Span& span) const;
  // The same, but only those that surely had such an effect, and surely before now.
  std::size_t count_certain(const std::string& tally, const Span& span) const;
  // The latest of them, at most `most`, in order.
  std::vector<Passed> latest(const std::string& tally, const Span& span, std::size_t most) const;
  // Whether all that passed within that span is here.
  bool knows(const Span& span) const;

 private:
  template <class Use>
  void each_within(const std::string& tally, const Span& span, Use use) const;

  std::int64_t now_ = 0;
  std::optional<std::int64_t> known_since_;
  std::map<std::string, std::vector<Passed>> tallies_;
};

}  // namespace policy
