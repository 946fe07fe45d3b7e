#pragma once
// How a connection is used, as far as the call says, and all that follows from it and the URL.

#include <string>
#include <string_view>
#include <vector>

#include "policy/network/target.hpp"

namespace policy::network {

struct Request {
  std::vector<std::string> methods;  // as the call has them; none: not known
  std::vector<std::string> headers;  // `Name: value`, those that may lead to another host, path or method
  std::string doubt;                 // why its headers or method are not understood; empty: they are
  bool operator==(const Request&) const = default;
};

// Of a request with more such headers, or longer ones, nobody looks at the rest: it may lead anywhere.
inline constexpr std::size_t headers_max = 64;
inline constexpr std::size_t header_bytes_max = 8192;

// Has a line break or NUL where it would end a header or the request's first line.
bool is_broken(const Request& request);

Target read_target(std::string_view url, const Request& request);

}  // namespace policy::network
