#include "policy/network/method.hpp"

#include <algorithm>

#include "policy/path/file_uri.hpp"

namespace policy::network {
namespace {

std::string trimmed_upper(std::string_view text) {
  constexpr std::string_view blanks(" \t\r\n\v\f\0", 7);
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  std::string out(text.substr(first, text.find_last_not_of(blanks) + 1 - first));
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return out;
}

}  // namespace

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

void read_method(std::string_view text, Target& target) {
  std::string usual = trimmed_upper(text);
  if (!is_token(text)) add_doubt(target, "a method that is none");
  if (!is_token(usual)) target.any_method = true;
  add_method(target, std::string(text));
  if (!usual.empty()) add_method(target, std::move(usual));
}

void read_query_method(std::string_view query, Target& target) {
  while (!query.empty()) {
    query.remove_prefix(1);
    const std::string_view item = query.substr(0, query.find_first_of("&;"));
    query.remove_prefix(item.size());
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || percent_decoded(item.substr(0, equals)) != "_method") continue;
    const std::string method = percent_decoded(item.substr(equals + 1));
    add_method(target, trimmed_upper(method));
  }
}

}  // namespace policy::network
