#include "policy/path/unicode.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "proxy/base/characters.hpp"
#include "proxy/base/utf8.hpp"

namespace policy {
namespace {

using Range = base::CharacterRange;

// The characters whose NFC_Quick_Check is No or Maybe (DerivedNormalizationProps.txt), joined to blocks where
// hardly anything else stands between them.
constexpr std::array respelled{
    Range{0x300, 0x36F},     Range{0x374, 0x374},     Range{0x37E, 0x37E},     Range{0x387, 0x387},
    Range{0x653, 0x655},     Range{0x93C, 0x93C},     Range{0x958, 0x95F},     Range{0x9BE, 0x9BE},
    Range{0x9D7, 0x9D7},     Range{0x9DC, 0x9DF},     Range{0xA33, 0xA36},     Range{0xA59, 0xA5E},
    Range{0xB3E, 0xB3E},     Range{0xB56, 0xB57},     Range{0xB5C, 0xB5D},     Range{0xBBE, 0xBBE},
    Range{0xBD7, 0xBD7},     Range{0xC56, 0xC56},     Range{0xCC2, 0xCC2},     Range{0xCD5, 0xCD6},
    Range{0xD3E, 0xD3E},     Range{0xD57, 0xD57},     Range{0xDCA, 0xDDF},     Range{0xF43, 0xFB9},
    Range{0x102E, 0x102E},   Range{0x1100, 0x11FF},   Range{0x1AB0, 0x1AFF},   Range{0x1B35, 0x1B35},
    Range{0x1DC0, 0x1DFF},   Range{0x1F71, 0x1FFD},   Range{0x2000, 0x2001},   Range{0x20D0, 0x20FF},
    Range{0x2126, 0x212B},   Range{0x2329, 0x232A},   Range{0x2ADC, 0x2ADC},   Range{0x3099, 0x309A},
    Range{0xF900, 0xFAFF},   Range{0xFB1D, 0xFB4E},   Range{0xFE20, 0xFE2F},   Range{0x110BA, 0x110BA},
    Range{0x11127, 0x11127}, Range{0x1133E, 0x1133E}, Range{0x11357, 0x11357}, Range{0x11382, 0x113C9},
    Range{0x114B0, 0x114BD}, Range{0x115AF, 0x115AF}, Range{0x11930, 0x11930}, Range{0x1611E, 0x16129},
    Range{0x16D63, 0x16D6A}, Range{0x1D15E, 0x1D1C0}, Range{0x2F800, 0x2FA1F},
};

// Blocks with letters whose Changes_When_Casefolded or _Casemapped is yes (DerivedCoreProperties.txt).
constexpr std::array cased{
    Range{0xB5, 0x587},      Range{0x10A0, 0x10FF},   Range{0x13A0, 0x13FF},   Range{0x1C80, 0x1CBF},
    Range{0x1D00, 0x1DBF},   Range{0x1E00, 0x1FFF},   Range{0x2100, 0x218F},   Range{0x24B0, 0x24EF},
    Range{0x2C00, 0x2D2F},   Range{0xA640, 0xA69F},   Range{0xA720, 0xA7FF},   Range{0xAB30, 0xABBF},
    Range{0xFB00, 0xFB17},   Range{0xFF21, 0xFF5A},   Range{0x10400, 0x105FF}, Range{0x10780, 0x107BF},
    Range{0x10C80, 0x10CFF}, Range{0x10D50, 0x10D8F}, Range{0x118A0, 0x118DF}, Range{0x16E40, 0x16EDF},
    Range{0x1E900, 0x1E943},
};

bool any_in(std::string_view text, std::span<const Range> ranges) {
  for (std::size_t at = 0; at < text.size();) {
    const auto next = base::utf8::character_at(text, at);
    if (base::contains(ranges, next.point)) return true;
    at += std::max<std::size_t>(next.length, 1);
  }
  return false;
}

}  // namespace

bool may_be_respelled(std::string_view text) { return any_in(text, respelled); }

bool may_be_recased(std::string_view text) { return any_in(text, cased); }

}  // namespace policy
