#include "policy/review/less.hpp"

#include <algorithm>

#include "policy/path/path.hpp"

namespace policy {
namespace {

// What PathPattern::covers() and the like say is right of the texts that patterns match. Rules match more
// than one text of an effect: where that tells two patterns apart, the answer here is no.

bool same(const PathPattern& a, const PathPattern& b) {
  return a.text() == b.text() || (!a.parts().empty() && a.parts() == b.parts());
}

bool everywhere(const PathPattern& pattern) {
  return pattern.root() == "/" && pattern.matches_all_below("/");
}

// An allow is also met by way of where the workspace or the home itself leads, if it begins in there; a deny
// or ask by way of where its own root leads.
bool same_way(const PathPattern& wide, const PathPattern& narrow, Stance stance, const Anchors& anchors) {
  if (everywhere(wide)) return true;
  if (stance == Stance::restrict) return wide.root() == narrow.root();
  const auto begins_in = [](const PathPattern& pattern, const std::string& folder) {
    return !folder.empty() && same_or_below(pattern.root(), folder);
  };
  const auto alike = [&](const std::string& folder) {
    return !begins_in(narrow, folder) || begins_in(wide, folder);
  };
  return alike(anchors.workspace) && alike(anchors.home);
}

bool takes_in(const PathPattern& wide, const PathPattern& narrow, const Condition& condition,
              const Anchors& anchors) {
  if (same(wide, narrow)) return true;
  if (!wide.covers(narrow) || !same_way(wide, narrow, condition.stance, anchors)) return false;
  // What is denied by its name alone is not copied; a bare word is not asked for by what is everywhere.
  if (wide.names_only() && !narrow.names_only()) return false;
  return !condition.leaves_bare_words || !wide.matches_all_below(anchors.workspace) ||
         narrow.matches_all_below(anchors.workspace);
}

bool plain_word(const std::vector<Glob>& word) {
  return std::all_of(word.begin(), word.end(), [](const Glob& glob) {
    return glob.literal() && !glob.begins_with('-') && !glob.begins_with('+');
  });
}

// Of an allow: word by word the same choices or fewer. More words only behind a subcommand: a pattern that
// names every word of a shell's line covers that line as it stands, and a shorter one does not.
bool permits_no_more(const CommandPattern& now, const CommandPattern& before) {
  const auto& narrow = now.words();
  const auto& wide = before.words();
  if (narrow.size() < wide.size() || (before.complete() && !now.complete())) return false;
  if (narrow.size() > wide.size() && (before.complete() || !plain_word(narrow[1]))) return false;
  for (std::size_t i = 0; i < wide.size(); ++i)
    for (const Glob& glob : narrow[i])
      if (std::find(wide[i].begin(), wide[i].end(), glob) == wide[i].end()) return false;
  return true;
}

bool takes_in(const CommandPattern& wide, const CommandPattern& narrow, Stance stance) {
  return stance == Stance::permit ? permits_no_more(narrow, wide) : wide.covers(narrow);
}

// Of one host, or of names: an address may carry another, and lie in a range and out of it at once.
bool takes_in(const DestinationPattern& wide, const DestinationPattern& narrow) {
  if (wide.text() == narrow.text()) return true;
  if (!wide.covers(narrow) || wide.host() == nullptr || narrow.host() == nullptr) return false;
  const auto named = [](const DestinationPattern& each) { return !each.host()->labels().empty(); };
  const bool one = wide.host()->covers(*narrow.host()) && narrow.host()->covers(*wide.host());
  return wide.host()->is_any() || one || (named(wide) && named(narrow));
}

template <class Pattern, class One>
bool list_takes_in(const std::vector<Pattern>& wide, const std::vector<Pattern>& narrow, One one) {
  return std::all_of(narrow.begin(), narrow.end(), [&](const Pattern& inner) {
    return std::any_of(wide.begin(), wide.end(), [&](const Pattern& outer) { return one(outer, inner); });
  });
}

// Empty: any name.
bool names_take_in(const std::vector<NamePattern>& wide, const std::vector<NamePattern>& narrow) {
  if (wide.empty() || narrow.empty()) return wide.empty();
  return list_takes_in(wide, narrow, [](const NamePattern& outer, const NamePattern& inner) {
    return outer.text() == inner.text() || outer.text() == "*" ||
           (inner.literal() && outer.matches(inner.text()));
  });
}

template <class Pattern>
bool has_all(const std::vector<Pattern>& all, const std::vector<Pattern>& some) {
  return list_takes_in(
      all, some, [](const Pattern& outer, const Pattern& inner) { return outer.text() == inner.text(); });
}

// What runs elsewhere needs an allow that names its folder, and is opaque to the others.
bool folders_take_in(const Condition& wide, const Condition& narrow, const Anchors& anchors) {
  const bool tells = wide.stance == Stance::permit || wide.opaque;
  if (tells && wide.cwd.empty() != narrow.cwd.empty()) return false;
  if (wide.cwd.empty() || narrow.cwd.empty()) return wide.cwd.empty();
  return list_takes_in(wide.cwd, narrow.cwd, [&](const PathPattern& outer, const PathPattern& inner) {
    return takes_in(outer, inner, wide, anchors);
  });
}

bool opaque_takes_in(const Condition& wide, const Condition& narrow) {
  return wide.stance == Stance::permit ? wide.opaque || !narrow.opaque : !wide.opaque || narrow.opaque;
}

bool effects_take_in(const Condition& wide, const Condition& narrow, const Anchors& anchors) {
  if (!wide.names_effects()) return true;
  if (!narrow.names_effects()) return false;
  // What an allow meets all readings of a path or address must meet; of a deny or ask one is enough.
  const bool text_does = wide.stance == Stance::restrict && narrow.stance == Stance::permit;
  const auto path = [&](const PathPattern& outer, const PathPattern& inner) {
    return text_does ? outer.covers(inner) : takes_in(outer, inner, wide, anchors);
  };
  const auto command = [&](const CommandPattern& outer, const CommandPattern& inner) {
    return takes_in(outer, inner, wide.stance);
  };
  const auto destination = [&](const DestinationPattern& outer, const DestinationPattern& inner) {
    return text_does ? outer.covers(inner) : takes_in(outer, inner);
  };
  return list_takes_in(wide.read, narrow.read, path) && list_takes_in(wide.write, narrow.write, path) &&
         list_takes_in(wide.remove, narrow.remove, path) && list_takes_in(wide.run, narrow.run, command) &&
         list_takes_in(wide.connect, narrow.connect, destination);
}

// Every effect that `narrow` matches `wide` does, too; of one stance, or an ask's in a deny's.
bool takes_in(const Condition& wide, const Condition& narrow, const Anchors& anchors) {
  if (!names_take_in(wide.server, narrow.server) || !names_take_in(wide.tool, narrow.tool) ||
      !names_take_in(wide.method, narrow.method) || !names_take_in(wide.agent, narrow.agent) ||
      !names_take_in(wide.mission, narrow.mission) || !names_take_in(wide.host_user, narrow.host_user))
    return false;
  if (!has_all(narrow.argument, wide.argument)) return false;
  if (!wide.content.empty() && (narrow.content.empty() || !has_all(wide.content, narrow.content)))
    return false;
  if (wide.elevated && wide.elevated != narrow.elevated) return false;
  if (wide.leaves_bare_words && !narrow.leaves_bare_words) return false;
  return opaque_takes_in(wide, narrow) && folders_take_in(wide, narrow, anchors) &&
         effects_take_in(wide, narrow, anchors);
}

// No exception is the narrowest.
bool takes_in(const std::optional<Condition>& wide, const std::optional<Condition>& narrow,
              const Anchors& anchors) {
  return !narrow || (wide && takes_in(*wide, *narrow, anchors));
}

bool same(const After& a, const After& b) {
  return a.tally == b.tally && a.count == b.count && a.within == b.within;
}

// By the same count: another would begin at nothing, and one that is shared out would be one for each.
bool rate_no_more(const Rule& now, const Rule& before) {
  if (!before.rate) return true;
  return now.rate && now.rate->tally == before.rate->tally && now.rate->span == before.rate->span &&
         now.rate->count <= before.rate->count;
}

bool looks_beyond(const Rule& rule) { return rule.after.has_value() || !rule.condition.content.empty(); }

}  // namespace

bool allows_no_more(const Rule& now, const Rule& before, const Anchors& anchors) {
  if (now.tier != Tier::allow || before.tier != Tier::allow || now.redirect || before.redirect) return false;
  if (before.after && !(now.after && same(*now.after, *before.after))) return false;
  return (now.counts_for & ~before.counts_for) == 0 && takes_in(before.condition, now.condition, anchors) &&
         takes_in(now.except, before.except, anchors) && rate_no_more(now, before);
}

bool covers(const Rule& outer, const Rule& inner, const Anchors& anchors) {
  Condition wide = outer.condition;
  if (outer.except || outer.after || outer.rate || outer.result.empty() != inner.result.empty()) return false;
  if (!has_all(outer.result, inner.result) || (outer.redact && !inner.redact)) return false;
  if (inner.condition.stance == Stance::permit && wide.stance == Stance::restrict) {
    if (wide.opaque) return false;   // it meets nothing else
    wide.leaves_bare_words = false;  // these are guesses, which an allow does not meet
  }
  return takes_in(wide, inner.condition, anchors);
}

bool restricts_no_less(const Rule& now, const Rule& before, const Anchors& anchors) {
  if (now.tier > before.tier || before.tier == Tier::allow || now.redirect || before.redirect) return false;
  if (now.trusted && !before.trusted && now.tier != Tier::deny) return false;
  if (before.tier == Tier::deny && now.severity < before.severity) return false;
  if (!before.violation_class.empty() && now.violation_class != before.violation_class) return false;
  if (now.result.empty() != before.result.empty() || now.redact != before.redact ||
      !has_all(now.result, before.result))
    return false;
  if (now.tier == Tier::ask && looks_beyond(before) && !looks_beyond(now)) return false;
  if (now.after && !(before.after && same(*now.after, *before.after))) return false;
  return takes_in(now.condition, before.condition, anchors) && takes_in(before.except, now.except, anchors);
}

}  // namespace policy
