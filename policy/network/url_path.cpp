#include "policy/network/url_path.hpp"

#include <algorithm>
#include <vector>

#include "policy/path/file_uri.hpp"
#include "policy/path/unicode.hpp"
#include "proxy/base/utf8.hpp"

namespace policy::network {
namespace {

constexpr std::size_t forms_max = 96;

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte that `%XX` at `at` stands for; -1: none.
int encoded_byte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size() || text[at] != '%') return -1;
  const int high = digit_of(text[at + 1]);
  const int low = digit_of(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// Once, but for slashes: whether those separate is a question of its own.
std::string decoded_but_slashes(std::string_view raw) {
  std::string text;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const int byte = encoded_byte(raw, i);
    if (byte < 0 || byte == '/') {
      text += raw[i];
    } else {
      text += static_cast<char>(byte);
      i += 2;
    }
  }
  return text;
}

std::string decoded_slashes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool slash = encoded_byte(text, i) == '/';
    out += slash ? '/' : text[i];
    if (slash) i += 2;
  }
  return out;
}

// `%u002e`, as some servers have it.
std::string decoded_wide(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t point = 0;
    bool wide = i + 5 < text.size() && text[i] == '%' && (text[i + 1] == 'u' || text[i + 1] == 'U');
    for (std::size_t k = 2; wide && k < 6; ++k) {
      const int digit = digit_of(text[i + k]);
      wide = digit >= 0;
      point = point * 16 + static_cast<char32_t>(std::max(digit, 0));
    }
    if (wide) {
      base::utf8::append(out, point);
      i += 5;
    } else {
      out += text[i];
    }
  }
  return out;
}

// 0xC0 0xAE as `.`: ASCII in two bytes, which no UTF-8 has.
std::string with_overlong(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool overlong = (byte == 0xC0 || byte == 0xC1) && (next & 0xC0) == 0x80;
    out += overlong ? static_cast<char>((byte & 1) << 6 | (next & 0x3F)) : text[i];
    if (overlong) ++i;
  }
  return out;
}

std::string with_slashes(std::string text) {
  std::replace(text.begin(), text.end(), '\\', '/');
  return text;
}

std::string without_parameters(std::string_view text) {
  std::string out;
  bool inside = false;
  for (const char c : text) {
    inside = c != '/' && (inside || c == ';');
    if (!inside) out += c;
  }
  return out;
}

std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '/' || !out.ends_with('/')) out += c;
  return out;
}

std::string without_controls(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) out += c;
  return out;
}

std::string until_null(std::string_view text) { return std::string(text.substr(0, text.find('\0'))); }

// RFC 3986, 5.2.4; empty segments count.
std::string resolved(std::string_view path) {
  std::vector<std::string_view> segments;
  std::string_view rest = path.substr(1);
  for (;;) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    const bool last = slash == std::string_view::npos;
    const bool dots = segment == "." || segment == "..";
    if (segment == ".." && !segments.empty()) segments.pop_back();
    if (!dots) segments.push_back(segment);
    if (dots && last) segments.push_back({});
    if (last) break;
    rest.remove_prefix(slash + 1);
  }
  std::string out;
  for (const std::string_view segment : segments) out.append("/").append(segment);
  return out.empty() ? "/" : out;
}

// Every text that servers make of it, one step after another in any order. False: too many.
bool spread(std::vector<std::string>& forms) {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const std::string form = forms[i];
    for (std::string next : {decoded_slashes(form), percent_decoded(form), decoded_wide(form),
                             with_overlong(form), with_slashes(form), without_parameters(form),
                             collapsed(form), without_controls(form), until_null(form)}) {
      if (std::find(forms.begin(), forms.end(), next) != forms.end()) continue;
      if (forms.size() >= forms_max) return false;
      forms.push_back(std::move(next));
    }
  }
  return true;
}

bool has_encoding(std::string_view text, bool slashes) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int byte = encoded_byte(text, i);
    if (byte >= 0 && (slashes || byte != '/')) return true;
  }
  return false;
}

bool has_encoded_dots(std::string_view raw) {
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t end = std::min(raw.find('/', at), raw.size());
    const std::string_view segment = raw.substr(at, end - at);
    const std::string decoded = percent_decoded(segment);
    if (segment != decoded && (decoded == "." || decoded == "..")) return true;
    at = end + 1;
  }
  return false;
}

// Why an allow that names a path is not certain; empty: it is.
std::string doubt_of(std::string_view raw, std::string_view decoded) {
  for (std::size_t i = 0; i < raw.size(); ++i)
    if (raw[i] == '%' && encoded_byte(raw, i) < 0) return "a path with a broken encoding";
  // A slash is left encoded, and `%252f` becomes `%2f`.
  if (has_encoding(decoded, false) || has_encoding(percent_decoded(raw), true))
    return "a path that is encoded twice";
  if (has_encoded_dots(raw)) return "a path with encoded dots";
  if (decoded.find('\\') != std::string_view::npos) return "a path with a backslash";
  if (without_controls(decoded) != decoded) return "a path with a control character";
  if (!base::utf8::valid(decoded) || may_be_respelled(decoded))
    return "a path that may be spelled in other ways";
  return {};
}

}  // namespace

void read_url_path(std::string_view raw, Target& target) {
  const auto doubt = [&](std::string why) {
    if (target.path_doubt.empty()) target.path_doubt = std::move(why);
  };
  if (raw.size() > url_path_bytes_max) {
    target.any_path = true;
    return doubt("a path longer than servers take");
  }
  if (!raw.starts_with('/')) return add_path(target, raw.empty() ? "/" : resolved('/' + std::string(raw)));
  std::vector<std::string> forms{decoded_but_slashes(raw)};
  doubt(doubt_of(raw, forms.front()));
  if (!spread(forms)) {
    target.any_path = true;
    doubt("a path with too many readings");
  }
  for (const std::string& form : forms)
    if (form.starts_with('/')) add_path(target, resolved(form));
  if (has_encoded_dots(raw)) add_path(target, forms.front());
}

}  // namespace policy::network
