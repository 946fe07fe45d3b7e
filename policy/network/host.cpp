#include "policy/network/host.hpp"

#include <algorithm>

#include "policy/network/idna.hpp"
#include "policy/path/file_uri.hpp"

namespace policy::network {
namespace {

constexpr std::size_t host_bytes_max = 253;
constexpr std::size_t label_bytes_max = 63;
constexpr std::size_t decodings_max = 3;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Letters, digits, `-` and `_` in labels that are not empty.
bool valid_name(std::string_view name) {
  if (name.empty() || name.size() > host_bytes_max) return false;
  std::size_t label = 0;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain && (c != '.' || label == 0)) return false;
    label = c == '.' ? 0 : label + 1;
    if (label > label_bytes_max) return false;
  }
  return label > 0;
}

class Reader {
 public:
  HostReading read(std::string_view text) {
    if (text.starts_with('[')) {
      read_brackets(text);
    } else {
      std::string decoded(text);
      for (std::size_t times = 0; times < decodings_max && decoded.find('%') != std::string::npos; ++times) {
        doubt("an encoded host");
        decoded = percent_decoded(decoded);
      }
      read_text(decoded);
    }
    return std::move(reading_);
  }

 private:
  void doubt(std::string why) {
    if (reading_.doubt.empty()) reading_.doubt = std::move(why);
  }

  void fail(std::string why) {
    doubt(std::move(why));
    reading_.unknown = true;
  }

  void add(Host host) {
    if (std::find(reading_.hosts.begin(), reading_.hosts.end(), host) == reading_.hosts.end())
      reading_.hosts.push_back(std::move(host));
  }

  void add_address(const Address& address) {
    add({address.six ? '[' + text_of(address) + ']' : text_of(address), address});
  }

  void read_brackets(std::string_view text) {
    if (!text.ends_with(']')) return fail("an address whose bracket does not end");
    text = text.substr(1, text.size() - 2);
    const std::size_t zone = text.find('%');
    if (zone != std::string_view::npos) doubt("an address with a zone");
    const auto address = read_address6(text.substr(0, zone));
    if (!address) {
      doubt("brackets around what is no address");
      return read_text(std::string(text));
    }
    add_address(*address);
  }

  void read_text(const std::string& text) {
    if (is_ascii(text)) return read_ascii(text);
    NameReading names = read_name(text);
    if (names.unknown) return fail("a host with characters of unknown spelling");
    if (!names.agreed) doubt("a host that is mapped to another spelling");
    for (const std::string& name : names.names) read_ascii(name);
  }

  void read_ascii(const std::string& text) {
    std::string name = text;
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (name.ends_with('.')) name.pop_back();
    if (!name.empty() && (name.front() == '.' || name.back() == '.')) {
      doubt("a host with a dot too many");
      name.erase(0, std::min(name.find_first_not_of('.'), name.size()));
      while (name.ends_with('.')) name.pop_back();
    }
    if (const auto address = read_quad(name)) return add_address(*address);
    if (ends_in_number(name)) return read_number(name);
    if (valid_name(name)) return add({name, {}});
    if (const auto address = read_address6(name)) {
      doubt("an IPv6 address without brackets");
      return add_address(*address);
    }
    read_pieces(name);
  }

  // What looser readers cut out: up to a delimiter, after it, or without an empty label.
  void read_pieces(const std::string& name) {
    constexpr std::string_view delimiters("\\/?#@:[]\0", 9);
    doubt("a host that is none");
    if (const std::size_t blank = name.find(' '); blank != std::string::npos) {
      std::string joined = name;
      joined.erase(std::remove(joined.begin(), joined.end(), ' '), joined.end());
      if (valid_name(joined)) read_ascii(joined);
      if (blank > 0) read_ascii(name.substr(0, blank));
      reading_.unknown = reading_.unknown || reading_.hosts.empty();
      return;
    }
    std::string without_empty;
    for (const char c : name)
      if (c != '.' || !without_empty.ends_with('.')) without_empty += c;
    const bool pieces = name.find_first_of(delimiters) != std::string::npos;
    if (!pieces && without_empty != name) return read_ascii(without_empty);
    for (std::string_view rest = without_empty; pieces && !rest.empty();) {
      const std::size_t end = std::min(rest.find_first_of(delimiters), rest.size());
      const std::string piece(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!piece.empty()) read_ascii(piece);
    }
    reading_.unknown = reading_.unknown || reading_.hosts.empty();
  }

  void read_number(const std::string& name) {
    const std::vector<Address> addresses = read_loose_quad(name);
    if (addresses.empty()) return fail("a host that ends in a number and is no address");
    doubt("an address in an odd spelling");
    for (const Address& address : addresses) add_address(address);
  }

  HostReading reading_;
};

}  // namespace

HostReading read_host(std::string_view text) { return Reader().read(text); }

std::optional<Host> plain_host(std::string_view text) {
  HostReading reading = read_host(text);
  if (!reading.doubt.empty() || reading.unknown || reading.hosts.size() != 1) return std::nullopt;
  return std::move(reading.hosts.front());
}

}  // namespace policy::network
