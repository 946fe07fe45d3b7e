#include "approvals/render.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "approvals/characters.hpp"
#include "approvals/pretty.hpp"
#include "proxy/base/utf8.hpp"

namespace approvals {
namespace {

struct Piece {
  std::string text;  // what is shown
  std::size_t cells = 0;
  bool mark = false;
  bool line_end = false;
};

Piece mark(std::string text, std::size_t inner_cells) {
  return {"⟨" + text + "⟩", inner_cells + 2, true, false};
}

Piece named_mark(char32_t point) {
  switch (point) {
    case 0x07: return mark("BEL", 3);
    case 0x08: return mark("BS", 2);
    case 0x09: return mark("TAB", 3);
    case 0x0A: return mark("LF", 2);
    case 0x0D: return mark("CR", 2);
    case 0x1B: return mark("ESC", 3);
    case 0x7F: return mark("DEL", 3);
    default: break;
  }
  std::array<char, 16> digits{};
  const int size = std::snprintf(digits.data(), digits.size(), "U+%04X", static_cast<unsigned>(point));
  return mark(std::string(digits.data(), static_cast<std::size_t>(size)), static_cast<std::size_t>(size));
}

Piece byte_mark(unsigned char byte) {
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "0x%02X", byte);
  return mark(digits.data(), 4);
}

// The end of the word of letters that starts at `at`, and whether its Greek and Cyrillic letters would pass
// for Latin ones: when it has Latin letters too, or when none of its letters looks otherwise.
struct Word {
  std::size_t end = 0;
  bool deceptive = false;
};

Word word_at(std::string_view text, std::size_t at) {
  bool latin = false;
  bool other = false;
  bool own_shape = false;
  while (at < text.size()) {
    const auto next = base::utf8::character_at(text, at);
    if (next.length == 0 || !letter(next.point)) break;
    latin = latin || latin_letter(next.point);
    other = other || near_latin(next.point);
    own_shape = own_shape || (near_latin(next.point) && !looks_latin(next.point));
    at += next.length;
  }
  return {at, other && (latin || !own_shape)};
}

// Calls `each` with every piece of the text in order.
template <class Each>
void pieces(std::string_view text, Each each) {
  Word word;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = base::utf8::character_at(text, at);
    if (next.length == 0) {
      each(byte_mark(static_cast<unsigned char>(text[at])));
      at += 1;
      continue;
    }
    if (next.point == '\n') {
      each(Piece{"", 0, false, true});
      at += 1;
      continue;
    }
    if (at >= word.end && letter(next.point)) word = word_at(text, at);
    const bool deceptive = word.deceptive && at < word.end && near_latin(next.point);
    const int cells = deceptive ? 0 : cells_of(next.point);
    if (cells == 0)
      each(named_mark(next.point));
    else
      each(Piece{std::string(text.substr(at, next.length)), static_cast<std::size_t>(cells), false, false});
    at += next.length;
  }
}

}  // namespace

Rendered render(std::string_view text, const RenderOptions& options) {
  const std::size_t room = std::max(options.width, width_min) - 2;
  Rendered out;
  std::string line(gutter);
  std::size_t used = 0;
  bool open = false;  // whether the present line has begun
  const auto end_line = [&](std::string_view next) {
    out.lines.push_back(std::move(line));
    line = std::string(next);
    used = 0;
  };
  pieces(text, [&](const Piece& piece) {
    if (piece.line_end) {
      end_line(gutter);
      open = false;
      return;
    }
    if (used + piece.cells > room) end_line(gutter_more);
    line += piece.text;
    used += piece.cells;
    open = true;
    if (piece.mark) ++out.marks;
  });
  if (open || out.lines.empty()) end_line(gutter);
  return out;
}

Rendered render_json(std::string_view json, const RenderOptions& options) {
  const auto laid_out = pretty(json);
  return render(laid_out ? *laid_out : json, options);
}

std::string render_inline(std::string_view text, std::size_t characters_max) {
  std::string out = "«";
  std::size_t shown = 0;
  std::size_t left = 0;
  pieces(text, [&](const Piece& piece) {
    if (shown >= characters_max) {
      ++left;
      return;
    }
    ++shown;
    const bool quote = piece.text == "«" || piece.text == "»";
    if (piece.line_end)
      out += named_mark('\n').text;
    else
      out += quote ? named_mark(piece.text == "«" ? 0xAB : 0xBB).text : piece.text;
  });
  out += "»";
  if (left > 0) out += " … " + std::to_string(left) + (left == 1 ? " more character" : " more characters");
  return out;
}

}  // namespace approvals
