#pragma once
// What a destination pattern says of the host: a name, with `*` inside labels or as the first one, an
// address, a range of addresses, or `@any`, `@loopback`, `@link-local`, `@private`.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/network/host.hpp"
#include "policy/network/reach.hpp"
#include "policy/pattern/glob.hpp"
#include "proxy/base/error.hpp"

namespace policy::network {

class HostPattern {
 public:
  static base::Result<HostPattern> compile(std::string_view text);
  // `certain`: as an allow needs it, where an address that carries another must match as both; else as a deny
  // wants it.
  bool matches(const Host& host, bool certain) const;
  // Whether every host that `inner` matches, this matches. May say no wrongly.
  bool covers(const HostPattern& inner) const;
  // An `@name`: stands for any port.
  bool is_group() const { return any_ || reach_.has_value(); }
  bool is_any() const { return any_; }
  std::optional<Reach> reach() const { return reach_; }
  // Of a name, those that must match in order; empty: it is an address or a group.
  const std::vector<Glob>& labels() const { return labels_; }

 private:
  bool matches_name(std::string_view name) const;

  std::string text_;  // canonical
  bool any_ = false;
  std::optional<Reach> reach_;
  std::optional<AddressRange> range_;
  bool below_ = false;        // `*.host`
  std::vector<Glob> labels_;  // the others, in order
};

}  // namespace policy::network
