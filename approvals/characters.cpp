#include "approvals/characters.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace approvals {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t size>
bool within(const std::array<Range, size>& ranges, char32_t point) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), point,
                                      [](char32_t value, const Range& range) { return value < range.first; });
  return after != ranges.begin() && point <= std::prev(after)->last;
}

// One cell. Left out on purpose: no-break and other spaces, soft hyphen, click letters (U+01C0–01C3 look like
// | and !), small letters of phonetics, hyphens and slashes that look like - and /, the brackets of our own
// marks (U+27E8, U+27E9).
constexpr std::array narrow{
    Range{0x20, 0x7E},     Range{0xA1, 0xAC},     Range{0xAE, 0xB6},     Range{0xB9, 0x1BF},
    Range{0x1C4, 0x24F},   Range{0x386, 0x386},   Range{0x388, 0x38A},   Range{0x38C, 0x38C},
    Range{0x38E, 0x3A1},   Range{0x3A3, 0x3E1},   Range{0x400, 0x482},   Range{0x48A, 0x52F},
    Range{0x1E00, 0x1EFF}, Range{0x2013, 0x2014}, Range{0x2018, 0x201F}, Range{0x2020, 0x2023},
    Range{0x2026, 0x2026}, Range{0x2030, 0x2030}, Range{0x20A0, 0x20BF}, Range{0x2190, 0x21FF},
    Range{0x2200, 0x2211}, Range{0x2213, 0x2214}, Range{0x2218, 0x2222}, Range{0x2227, 0x2235},
    Range{0x2248, 0x22C4}, Range{0x22C8, 0x22FF}, Range{0x2500, 0x2501}, Range{0x250C, 0x2570},
    Range{0x2580, 0x25FF}, Range{0x2713, 0x2713}, Range{0x2717, 0x2717}};

// Two cells. Left out: the ideographic space, kana and ideographs that look like / - | (U+30CE, U+30FC,
// U+4E00, U+4E28, U+4E3F), full-width forms, skin tones and flags, which join with their neighbours.
constexpr std::array wide{Range{0x3001, 0x3002},   Range{0x300A, 0x3011},   Range{0x3041, 0x3096},
                          Range{0x30A1, 0x30CD},   Range{0x30CF, 0x30FA},   Range{0x3400, 0x4DBF},
                          Range{0x4E01, 0x4E27},   Range{0x4E29, 0x4E35},   Range{0x4E37, 0x4E3E},
                          Range{0x4E40, 0x9FFF},   Range{0xAC00, 0xD7A3},   Range{0x1F300, 0x1F3FA},
                          Range{0x1F400, 0x1F64F}, Range{0x1F680, 0x1F6C5}, Range{0x1F900, 0x1F9FF}};

// Greek and Cyrillic letters whose usual shape is that of a Latin letter or digit.
constexpr std::array twins{
    Range{0x391, 0x392}, Range{0x395, 0x397}, Range{0x399, 0x39A}, Range{0x39C, 0x39D}, Range{0x39F, 0x39F},
    Range{0x3A1, 0x3A1}, Range{0x3A4, 0x3A5}, Range{0x3A7, 0x3A7}, Range{0x3B1, 0x3B1}, Range{0x3B3, 0x3B3},
    Range{0x3B7, 0x3B7}, Range{0x3B9, 0x3BA}, Range{0x3BD, 0x3BD}, Range{0x3BF, 0x3BF}, Range{0x3C1, 0x3C1},
    Range{0x3C3, 0x3C3}, Range{0x3C5, 0x3C5}, Range{0x3C7, 0x3C7}, Range{0x405, 0x408}, Range{0x410, 0x410},
    Range{0x412, 0x413}, Range{0x415, 0x415}, Range{0x417, 0x417}, Range{0x41A, 0x41A}, Range{0x41C, 0x41E},
    Range{0x420, 0x423}, Range{0x425, 0x425}, Range{0x42C, 0x42C}, Range{0x430, 0x430}, Range{0x433, 0x433},
    Range{0x435, 0x435}, Range{0x43A, 0x43A}, Range{0x43E, 0x43E}, Range{0x43F, 0x443}, Range{0x445, 0x445},
    Range{0x44C, 0x44C}, Range{0x450, 0x451}, Range{0x455, 0x458}, Range{0x461, 0x461}, Range{0x474, 0x475},
    Range{0x4AE, 0x4AF}, Range{0x4BA, 0x4BB}, Range{0x4C0, 0x4C0}, Range{0x4CF, 0x4CF}, Range{0x501, 0x501},
    Range{0x50C, 0x50D}, Range{0x51A, 0x51D}};

}  // namespace

int cells_of(char32_t point) { return within(narrow, point) ? 1 : within(wide, point) ? 2 : 0; }

bool latin_letter(char32_t point) {
  return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') || point == 0xAA || point == 0xBA ||
         (point >= 0xC0 && point <= 0x24F && point != 0xD7 && point != 0xF7) ||
         (point >= 0x1E00 && point <= 0x1EFF);
}

bool near_latin(char32_t point) { return point >= 0x370 && point <= 0x52F; }

bool looks_latin(char32_t point) { return within(twins, point); }

bool letter(char32_t point) { return latin_letter(point) || near_latin(point); }

}  // namespace approvals
