// The first byte chooses the width. Whatever the bytes: no character that is not known to be harmless gets
// out, no line is wider than asked, and what is laid out as JSON still is that JSON.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "approvals/characters.hpp"
#include "approvals/pretty.hpp"
#include "approvals/render.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/utf8.hpp"

namespace {

// Cells of a line, each of whose characters is harmless or a bracket of our marks.
std::size_t harmless_cells(std::string_view line) {
  std::size_t cells = 0;
  for (std::size_t at = 0; at < line.size();) {
    const base::utf8::Character next = base::utf8::character_at(line, at);
    CHECK(next.length > 0);
    const bool bracket = next.point == 0x27E8 || next.point == 0x27E9;
    const int width = bracket ? 1 : approvals::cells_of(next.point);
    CHECK(width > 0);
    cells += static_cast<std::size_t>(width);
    at += next.length;
  }
  return cells;
}

void check_lines(const approvals::Rendered& rendered, std::size_t width, std::size_t bytes) {
  CHECK(!rendered.lines.empty());
  CHECK(rendered.marks <= bytes);
  std::size_t shown = 0;
  for (const std::string& line : rendered.lines) {
    const bool more = line.starts_with(approvals::gutter_more);
    CHECK(more || line.starts_with(approvals::gutter));
    const std::string_view text =
        std::string_view(line).substr(more ? approvals::gutter_more.size() : approvals::gutter.size());
    CHECK(harmless_cells(text) + 2 <= width);
    shown += line.size();
  }
  CHECK(shown <= 16 * bytes + 16);  // a mark of an astral character and its gutter
}

bool has_line_feed(const base::json::Value& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().find('\n') != std::string::npos;
  return value.is_structured() && std::any_of(value.begin(), value.end(), has_line_feed);
}

void check_pretty(std::string_view json) {
  const auto laid_out = approvals::pretty(json);
  const auto value = base::json::parse(json);
  if (!value) return;
  CHECK(laid_out.has_value());
  if (has_line_feed(*value)) return;
  const auto again = base::json::parse(*laid_out, {.bytes_max = laid_out->size()});
  CHECK(again.has_value() && *again == *value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t width = approvals::width_min + data[0] % 80;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  check_lines(approvals::render(text, {.width = width}), width, text.size());
  const approvals::Rendered json = approvals::render_json(text, {.width = width});
  check_lines(json, width, 8 * text.size() + (4u << 20));
  const std::string one_line = approvals::render_inline(text, width);
  CHECK(harmless_cells(one_line) <= 10 * width + 64);
  check_pretty(text);
  return 0;
}
