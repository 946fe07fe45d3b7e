// Lines: a URL, a method, then headers. Readings are bounded and canonical; no allow matches what a deny of
// the same pattern does not; a canonical address has itself for its only reading.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/network/request.hpp"
#include "policy/pattern/pattern.hpp"
#include "proxy/base/check.hpp"

namespace {

using policy::DestinationPattern;
using policy::Stance;
using policy::network::Site;
using policy::network::Target;

constexpr std::string_view patterns[] = {
    "@any",         "https://@any",     "@private",         "@loopback",
    "example.com",  "*.example.com",    "example.*",        "10.0.0.0/8",
    "2000::/3",     "example.com/v1/*", "example.com/**/x", "GET example.com",
    "re:^GET http", "re:.*/admin.*",    "http://a.b:8080/x"};

struct Pair {
  DestinationPattern permit;
  DestinationPattern restrict;
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all = [] {
    std::vector<Pair> made;
    for (const std::string_view text : patterns)
      made.push_back({DestinationPattern::compile(text, Stance::permit).value(),
                      DestinationPattern::compile(text, Stance::restrict).value()});
    return made;
  }();
  return all;
}

void check_site(const Site& site) {
  CHECK(site.port >= 0 && site.port <= 65535);
  if (site.host.name.empty()) return;
  CHECK(policy::network::plain_host(site.host.name) == site.host);
}

void check_path(const std::string& path) { CHECK(path.starts_with('/')); }

// A URL written from its own reading is read as that again.
void check_canonical(const Target& target) {
  const Site& site = target.sites.front();
  if (site.scheme.empty() || site.host.name.empty()) return;
  const Target again = policy::network::read_target(text_of(site), {});
  CHECK(again.sites.size() == 1 && again.agreed());
  CHECK(again.sites.front() == site);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines;
  for (std::string_view text(reinterpret_cast<const char*>(data), size);;) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  policy::network::Request request;
  if (lines.size() > 1 && !lines[1].empty()) request.methods = {lines[1]};
  if (lines.size() > 2) request.headers.assign(lines.begin() + 2, lines.end());
  const Target target = policy::network::read_target(lines.front(), request);
  CHECK(target.any_site || !target.sites.empty());
  CHECK(!target.paths.empty());
  CHECK(target.any_method || !target.methods.empty());
  for (const Site& site : target.sites) check_site(site);
  for (const std::string& path : target.paths) check_path(path);
  if (target.agreed()) check_canonical(target);
  for (const Pair& pair : pairs())
    if (pair.permit.matches(target)) CHECK(pair.restrict.matches(target));
  return 0;
}
