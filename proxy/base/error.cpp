#include "proxy/base/error.hpp"

#include <stdexcept>
#include <system_error>

namespace base {

Error errno_error(std::string_view what, int error_number) {
  return {Code::io, std::string(what) + ": " + std::generic_category().message(error_number)};
}

void throw_exception_from_error(const Error& error, const boost::source_location& where) {
  throw std::runtime_error(error.text() + " (" + where.file_name() + ":" + std::to_string(where.line()) +
                           ")");
}

}  // namespace base
