#include "policy/network/request.hpp"

#include <algorithm>

#include "policy/network/header.hpp"
#include "policy/network/method.hpp"
#include "policy/network/url.hpp"

namespace policy::network {
namespace {

bool has_break(const std::string& text) {
  constexpr std::string_view breaks("\r\n\0", 3);
  return text.find_first_of(breaks) != std::string::npos;
}

}  // namespace

bool is_broken(const Request& request) {
  return std::any_of(request.methods.begin(), request.methods.end(), has_break) ||
         std::any_of(request.headers.begin(), request.headers.end(), has_break);
}

Target read_target(std::string_view url, const Request& request) {
  Target target;
  target.any_method = request.methods.empty();
  for (const std::string& method : request.methods) read_method(method, target);
  read_url(url, target);
  std::size_t count = 0;
  for (const std::string& header : request.headers) {
    if (++count > headers_max || header.size() > header_bytes_max) {
      target.any_site = target.any_path = target.any_method = true;
      add_doubt(target, "headers too many or too long");
      break;
    }
    read_header(header, target);
  }
  if (!request.doubt.empty()) add_doubt(target, request.doubt);
  return target;
}

}  // namespace policy::network
