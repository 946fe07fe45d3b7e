// Lines: a path as a call writes it, then links as `FROM` and `TO` in turn. Every reading is a folded
// absolute path or refused, and what the kernel would open is no link any more.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "policy/path/file_uri.hpp"
#include "policy/path/path.hpp"
#include "policy/review/cases.hpp"
#include "proxy/base/check.hpp"

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool folded(std::string_view path) { return !path.empty() && policy::fold_path(path, "/") == path; }

void check(const policy::PathReading& reading, const policy::Links& links) {
  CHECK(reading.path.written.size() <= policy::path_bytes_max);
  CHECK(reading.opaque == !reading.note.empty());
  if (!reading.refused.empty()) return;
  if (reading.too_long) {
    CHECK(reading.opaque);
    return;
  }
  CHECK(folded(reading.path.lexical));
  CHECK(folded(reading.path.real));
  if (reading.opaque) return;
  CHECK(policy::real_path(reading.path.real, "/", links) == reading.path.real);
}

void check_uri(const std::string& uri, const policy::Scene& scene) {
  std::size_t paths = 0;
  const bool certain = policy::each_file_path(uri, [&](const std::string&) { ++paths; });
  CHECK(!certain || paths > 0);
  const auto readings = policy::read_file_uri(uri, scene.directory, scene);
  CHECK(!readings.empty());
  for (const policy::PathReading& reading : readings) {
    check(reading, *scene.links);
    CHECK(certain || reading.opaque);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto lines = split({reinterpret_cast<const char*>(data), size}, '\n');
  std::map<std::string, std::string> described;
  for (std::size_t i = 1; i + 1 < lines.size(); i += 2)
    described[policy::fold_path(lines[i], "/w")] = lines[i + 1];
  const policy::DescribedFiles links(std::move(described));
  policy::Scene scene{.workspace = "/w", .directory = "/w/server", .home = "/home/dev", .user = "dev"};
  scene.links = &links;
  const std::string& written = lines.front();
  const auto readings = policy::read_path(written, scene.directory, scene);
  CHECK(!readings.empty());
  for (const policy::PathReading& reading : readings) check(reading, links);
  if (const std::string cleaned = policy::cleaned_address(written); policy::is_file_uri(cleaned)) {
    CHECK(policy::cleaned_address(cleaned) == cleaned);
    check_uri(cleaned, scene);
  }
  const std::string whole = policy::fold_path(written, scene.directory);
  CHECK(folded(whole));
  CHECK(policy::same_or_below(policy::fold_path("x", whole), whole));
  return 0;
}
