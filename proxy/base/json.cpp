#include "proxy/base/json.hpp"

#include <algorithm>
#include <vector>

#include "proxy/base/check.hpp"
#include "proxy/base/json_number.hpp"
#include "proxy/base/json_scan.hpp"
#include "proxy/base/json_tree.hpp"

namespace base::json {
namespace {

// UTF-16 code unit order on UTF-8: the one difference to byte order is that characters past U+FFFF (first
// byte 0xF0 and up, surrogates in UTF-16) come before U+E000…U+FFFF (first byte 0xEE and 0xEF).
bool utf16_less(std::string_view a, std::string_view b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (left == a.end() || right == b.end()) return a.size() < b.size();
  const auto rank = [](char character) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0xF0) return byte - 2;
    return byte >= 0xEE ? byte + 8 : int{byte};
  };
  return rank(*left) < rank(*right);
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    switch (character) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (byte >= 0x20)
          out += character;
        else
          (out += "\\u00") += {digits[byte >> 4], digits[byte & 15]};
    }
  }
  out += '"';
}

namespace {

void append(std::string& out, const Value& value);

void append_object(std::string& out, const Value& value) {
  std::vector<std::pair<std::string_view, const Value*>> members;
  members.reserve(value.size());
  for (const auto& [key, inner] : value.items()) members.emplace_back(key, &inner);
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return utf16_less(a.first, b.first); });
  char before = '{';
  for (const auto& [key, inner] : members) {
    out += before;
    append_string(out, key);
    out += ':';
    append(out, *inner);
    before = ',';
  }
  out += members.empty() ? "{}" : "}";
}

void append(std::string& out, const Value& value) {
  switch (value.type()) {
    case Value::value_t::null: out += "null"; return;
    case Value::value_t::boolean: out += value.get<bool>() ? "true" : "false"; return;
    case Value::value_t::number_integer: out += std::to_string(value.get<std::int64_t>()); return;
    case Value::value_t::number_unsigned: out += std::to_string(value.get<std::uint64_t>()); return;
    case Value::value_t::number_float: out += number_text(value.get<double>()); return;
    case Value::value_t::string: append_string(out, value.get_ref<const std::string&>()); return;
    case Value::value_t::object: append_object(out, value); return;
    case Value::value_t::array: {
      char before = '[';
      for (const Value& element : value) {
        out += before;
        append(out, element);
        before = ',';
      }
      out += value.empty() ? "[]" : "]";
      return;
    }
    case Value::value_t::binary:
    case Value::value_t::discarded: break;
  }
  CHECK(false && "not a value of JSON");
}

}  // namespace

Result<void> check(std::string_view text, const Limits& limits) {
  const auto scanned = scan(text, limits);
  if (!scanned) return scanned.error();
  return {};
}

Result<Value> parse(std::string_view text, const Limits& limits) {
  if (const auto checked = check(text, limits); !checked) return checked.error();
  return tree(text);
}

std::string canonical(const Value& value) {
  std::string out;
  append(out, value);
  return out;
}

}  // namespace base::json
