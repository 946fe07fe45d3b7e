#include "policy/network/host_pattern.hpp"

#include <algorithm>
#include <charconv>

#include "proxy/base/text.hpp"

namespace policy::network {
namespace {

base::Error error(std::string message) { return {base::Code::invalid, std::move(message)}; }

std::vector<std::string_view> labels_of(std::string_view name) {
  std::vector<std::string_view> labels;
  for (;;) {
    const std::size_t dot = name.find('.');
    labels.push_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return labels;
    name.remove_prefix(dot + 1);
  }
}

base::Result<AddressRange> read_range(std::string_view text) {
  const std::size_t slash = text.find('/');
  std::string_view start = text.substr(0, slash);
  if (start.starts_with('[') && start.ends_with(']')) start = start.substr(1, start.size() - 2);
  auto address = read_quad(start);
  if (!address) address = read_address6(start);
  if (!address)
    return error(base::quoted(text) + " is no range of addresses; one is `10.0.0.0/8` or `fd00::/8`");
  const std::string_view digits = text.substr(slash + 1);
  const unsigned bits = address->six ? 128 : 32;
  AddressRange range{*address, bits + 1};
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), range.length);
  if (code != std::errc() || end != digits.data() + digits.size() || range.length > bits)
    return error("the length in " + base::quoted(text) + " is not 0 to " + std::to_string(bits));
  for (unsigned bit = range.length; bit < bits; ++bit)
    if ((range.start.bytes[bit / 8] >> (7 - bit % 8) & 1) != 0)
      return error("the range " + base::quoted(text) + " has bits set beyond its length");
  return range;
}

// The letters of a pattern as names have them, wildcards apart.
base::Result<std::string> canonical_labels(std::string_view text) {
  std::string stand_in(text);
  std::replace(stand_in.begin(), stand_in.end(), '*', 'x');
  std::replace(stand_in.begin(), stand_in.end(), '?', 'x');
  const auto host = plain_host(stand_in);
  const bool wild = text.find_first_of("*?") != std::string_view::npos;
  if (!host || (wild && host->address))
    return error(base::quoted(text) +
                 " is no host; one is `example.com`, `*.example.com`, `10.0.0.1`, `[fd00::1]`, `10.0.0.0/8` "
                 "or `@private`");
  if (!wild) return host->name;
  if (text.find_first_not_of(".*?") == std::string_view::npos)
    return error(base::quoted(text) + " names no host; every one is `@any`");
  if (text.find_first_not_of("0123456789.*?") == std::string_view::npos)
    return error("write " + base::quoted(text) + " as a range of addresses, like `10.0.0.0/8`");
  std::string out(text);
  const bool ascii =
      std::all_of(out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii)
    return error("write the name in " + base::quoted(text) + " with `xn--`: a wildcard stands beside it");
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  if (out.ends_with('.')) out.pop_back();
  return out;
}

}  // namespace

base::Result<HostPattern> HostPattern::compile(std::string_view text) {
  HostPattern pattern;
  pattern.text_ = text;
  if (text.starts_with('@')) {
    pattern.any_ = text == "@any";
    if (text == "@loopback") pattern.reach_ = Reach::loopback;
    if (text == "@link-local") pattern.reach_ = Reach::link_local;
    if (text == "@private") pattern.reach_ = Reach::private_use;
    if (pattern.is_group()) return pattern;
    return error("the name " + base::quoted(text) +
                 " is not `@any`, `@private`, `@loopback` or `@link-local`");
  }
  if (text.find('/') != std::string_view::npos) {
    auto range = read_range(text);
    if (range.has_error()) return range.error();
    pattern.range_ = *range;
    return pattern;
  }
  pattern.below_ = text.starts_with("*.");
  auto name = canonical_labels(pattern.below_ ? text.substr(2) : text);
  if (name.has_error()) return name.error();
  if (const auto host = plain_host(*name); host && host->address) {
    if (pattern.below_) return error("nothing is below the address in " + base::quoted(text));
    pattern.range_ = AddressRange{*host->address, host->address->six ? 128u : 32u};
    pattern.text_ = host->name;
    return pattern;
  }
  for (const std::string_view label : labels_of(*name)) pattern.labels_.emplace_back(label);
  if (std::none_of(pattern.labels_.begin(), pattern.labels_.end(), [](const Glob& label) {
        return label.text().find_first_not_of("*?") != std::string::npos;
      }))
    return error(base::quoted(text) + " names no host; every one is `@any`");
  pattern.text_ = (pattern.below_ ? "*." : "") + *name;
  return pattern;
}

bool HostPattern::matches_name(std::string_view name) const {
  const std::vector<std::string_view> labels = labels_of(name);
  const std::size_t count = labels_.size();
  if (below_ ? labels.size() <= count : labels.size() != count) return false;
  return std::equal(labels_.begin(), labels_.end(), labels.end() - static_cast<std::ptrdiff_t>(count),
                    [](const Glob& glob, std::string_view label) { return glob.matches(label); });
}

bool HostPattern::matches(const Host& host, bool certain) const {
  if (any_) return true;
  if (!host.address) {
    if (host.name.empty()) return false;
    if (!reach_) return !range_ && matches_name(host.name);
    if (is_localhost(host.name)) return *reach_ != Reach::link_local;
    return !certain && may_lie_in(host.name, *reach_);
  }
  if (reach_) return lies_in(*host.address, *reach_);
  if (!range_) return false;
  const std::vector<Address> inside = carried(*host.address);
  const auto within = [&](const Address& address) { return range_->contains(address); };
  if (!certain) return within(*host.address) || std::any_of(inside.begin(), inside.end(), within);
  return within(*host.address) && (range_->single() || std::all_of(inside.begin(), inside.end(), within));
}

bool HostPattern::covers(const HostPattern& inner) const {
  if (any_ || text_ == inner.text_) return true;
  if (inner.any_) return false;
  if (reach_) {
    if (inner.reach_) return *reach_ == Reach::private_use;
    if (inner.range_ && inner.range_->single()) return lies_in(inner.range_->start, *reach_);
    const bool one_name = !inner.range_ && !inner.below_ &&
                          std::all_of(inner.labels_.begin(), inner.labels_.end(),
                                      [](const Glob& label) { return label.literal(); });
    return one_name && is_localhost(inner.text_) && *reach_ != Reach::link_local;
  }
  if (range_) return inner.range_ && range_->contains(*inner.range_);
  if (inner.reach_ || inner.range_ || labels_.size() > inner.labels_.size()) return false;
  // What is below the outer, by a label more or by its own `*.`.
  if (below_ ? !inner.below_ && inner.labels_.size() == labels_.size()
             : inner.below_ || inner.labels_.size() != labels_.size())
    return false;
  return std::equal(labels_.begin(), labels_.end(),
                    inner.labels_.end() - static_cast<std::ptrdiff_t>(labels_.size()),
                    [](const Glob& wide, const Glob& narrow) {
                      return wide == narrow || (narrow.literal() && wide.matches(narrow.text()));
                    });
}

}  // namespace policy::network
