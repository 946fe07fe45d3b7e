#include "policy/history.hpp"

#include <algorithm>

namespace policy {
namespace {

// Where a span begins that ends now; 0: at the beginning.
std::int64_t begin_of(const History::Span& span, std::int64_t now) {
  return span ? std::max<std::int64_t>(now - span->count(), 0) : 0;
}

}  // namespace

History History::known_from(std::int64_t since) {
  History history;
  history.known_since_ = since;
  return history;
}

void History::add(const Tally& tally, const Passed& passed) {
  std::vector<Passed>& calls = tallies_[tally.id];
  calls.push_back(passed);
  // Dropped in halves, so that each costs little.
  if (calls.size() >= 2 * tally.keep + 2)
    calls.erase(calls.begin(), calls.end() - static_cast<std::ptrdiff_t>(tally.keep));
}

// A time after now is one of a clock that was set back: it counts as now, but not as certain.
template <class Use>
void History::each_within(const std::string& tally, const Span& span, Use use) const {
  const auto found = tallies_.find(tally);
  if (found == tallies_.end()) return;
  const std::int64_t begin = begin_of(span, now_);
  for (const Passed& each : found->second)
    if (each.time >= begin) use(each);
}

std::size_t History::count(const std::string& tally, const Span& span) const {
  std::size_t calls = 0;
  each_within(tally, span, [&](const Passed&) { ++calls; });
  return calls;
}

std::size_t History::count_certain(const std::string& tally, const Span& span) const {
  std::size_t calls = 0;
  each_within(tally, span, [&](const Passed& each) { calls += each.certain && each.time <= now_ ? 1 : 0; });
  return calls;
}

std::vector<Passed> History::latest(const std::string& tally, const Span& span, std::size_t most) const {
  std::vector<Passed> calls;
  each_within(tally, span, [&](const Passed& each) { calls.push_back(each); });
  if (calls.size() > most) calls.erase(calls.begin(), calls.end() - static_cast<std::ptrdiff_t>(most));
  return calls;
}

bool History::knows(const Span& span) const { return known_since_ && *known_since_ <= begin_of(span, now_); }

}  // namespace policy
