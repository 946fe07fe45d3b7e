#pragma once
// What goes wrong, as a value. Functions that read foreign input return Result<T>; broken surroundings
// (disk, processes) do too, and end the session. Our own bugs hit CHECK (check.hpp).

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

namespace base {

enum class Code {
  internal,     // the zero value; never made on purpose
  invalid,      // the input is malformed
  limit,        // the input or the answer is larger, deeper or later than a limit
  not_found,    // what was named does not exist
  refused,      // a rule of callgate's says no
  conflict,     // somebody else changed the state first (a failed precondition)
  io,           // the operating system said no
  unavailable,  // a peer (server, ledger, agent) is gone or closed
};

// A code and one sentence: lower case, input in backticks, place given, no secrets.
// For a file, `place` is `file:line:column`; else empty.
class Error {
 public:
  Error() = default;
  Error(Code code, std::string message, std::string place = {})
      : code_(code), message_(std::move(message)), place_(std::move(place)) {}

  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& place() const { return place_; }
  // `place: message`, or the message alone.
  std::string text() const { return place_.empty() ? message_ : place_ + ": " + message_; }

  bool operator==(const Error&) const = default;

 private:
  Code code_ = Code::internal;
  std::string message_ = "internal error";
  std::string place_;
};

// An Error made from errno: `what: strerror`.
Error errno_error(std::string_view what, int error_number);

template <class T>
using Result = boost::system::result<T, Error>;

// What Result::value() throws for an error; found by argument-dependent lookup.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

}  // namespace base
