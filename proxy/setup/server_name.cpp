#include "proxy/setup/server_name.hpp"

#include "proxy/base/text.hpp"

namespace proxy {

bool good_server_name(const std::string& name) {
  return name.find_first_of("/ ") == std::string::npos && base::printable(name, name.size() + 1) == name;
}

}  // namespace proxy
