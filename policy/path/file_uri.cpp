#include "policy/path/file_uri.hpp"

#include <algorithm>
#include <array>

namespace policy {

namespace {

constexpr std::string_view file_scheme = "file:";
constexpr std::string_view separators = "/\\";  // URL parsers take both

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// In UTF-8: what `trim` of one language or another takes off.
constexpr std::array<std::string_view, 26> blanks{" ",
                                                  "\xc2\x85",
                                                  "\xc2\xa0",
                                                  "\xe1\x9a\x80",
                                                  "\xe1\xa0\x8e",
                                                  "\xe2\x80\x80",
                                                  "\xe2\x80\x81",
                                                  "\xe2\x80\x82",
                                                  "\xe2\x80\x83",
                                                  "\xe2\x80\x84",
                                                  "\xe2\x80\x85",
                                                  "\xe2\x80\x86",
                                                  "\xe2\x80\x87",
                                                  "\xe2\x80\x88",
                                                  "\xe2\x80\x89",
                                                  "\xe2\x80\x8a",
                                                  "\xe2\x80\x8b",
                                                  "\xe2\x80\x8c",
                                                  "\xe2\x80\x8d",
                                                  "\xe2\x80\xa8",
                                                  "\xe2\x80\xa9",
                                                  "\xe2\x80\xaf",
                                                  "\xe2\x81\x9f",
                                                  "\xe2\x81\xa0",
                                                  "\xe3\x80\x80",
                                                  "\xef\xbb\xbf"};

// No blank begins or ends like that.
bool is_letter_like(char c) { return c > ' ' && c < 0x7f; }

std::string_view trimmed(std::string_view text) {
  if (text.empty() || (is_letter_like(text.front()) && is_letter_like(text.back()))) return text;
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view blank : blanks) {
      if (text.starts_with(blank)) {
        text.remove_prefix(blank.size());
        again = true;
      }
      if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        again = true;
      }
    }
  }
  return text;
}

// With backslashes as they stand, and as the slashes that URL parsers see.
void take_both(std::string path, const std::function<void(std::string)>& take) {
  if (path.find('\\') != std::string::npos) {
    std::string turned = path;
    std::replace(turned.begin(), turned.end(), '\\', '/');
    take(std::move(turned));
  }
  take(std::move(path));
}

void take_readings(std::string_view base, const std::function<void(std::string)>& take) {
  const bool encoded = base.find('%') != std::string_view::npos;
  const std::string decoded = encoded ? percent_decoded(base) : std::string();
  for (const std::string_view ends : {"", "?#", "?", "#"}) {
    const auto cut = [&](std::string_view text) {
      return text.substr(0, ends.empty() ? text.npos : text.find_first_of(ends));
    };
    const std::string_view raw = cut(base);
    if (!ends.empty() && raw.size() == base.size() && !encoded) continue;
    take_both(std::string(raw), take);
    if (!encoded) continue;
    take_both(percent_decoded(raw), take);
    take_both(std::string(cut(decoded)), take);
  }
}

}  // namespace

std::string cleaned_address(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), is_control)) return std::string(trimmed(text));
  std::string kept;
  kept.reserve(text.size());
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept), [](char c) { return !is_control(c); });
  return std::string(trimmed(kept));
}

bool is_file_uri(std::string_view text) {
  if (text.size() < file_scheme.size()) return false;
  return std::equal(file_scheme.begin(), file_scheme.end(), text.begin(),
                    [](char a, char b) { return a == lower(b); });
}

std::size_t find_file_scheme(std::string_view text) {
  const auto found = std::search(text.begin(), text.end(), file_scheme.begin(), file_scheme.end(),
                                 [](char a, char b) { return lower(a) == b; });
  return found == text.end() ? text.npos : static_cast<std::size_t>(found - text.begin());
}

bool is_scheme(std::string_view text) {
  const auto letter = [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-';
  });
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

bool each_file_path(std::string_view uri, const std::function<void(std::string)>& take) {
  const std::string_view rest = uri.substr(file_scheme.size());
  const auto separator = [&](std::size_t at) {
    return at < rest.size() && separators.find(rest[at]) != std::string_view::npos;
  };
  if (!separator(0) || !separator(1)) {
    take_readings(rest, take);
    return rest.starts_with('/');
  }
  const std::string_view after = rest.substr(2);
  const std::size_t slash = std::min(after.find_first_of(separators), after.size());
  const std::string_view host = after.substr(0, slash);
  const bool here = host.empty() || host == "localhost";
  if (slash < after.size()) take_readings(after.substr(slash), take);
  // A server that cuts `file://` off takes the host for a folder.
  if (!host.empty() && (!here || after.find("..") != after.npos)) take_readings(after, take);
  return here && slash < after.size() && rest.starts_with("//") && after[slash] == '/';
}

}  // namespace policy
