#pragma once
// What `initialize` and its answer said of both sides: claims, bounded, empty where they are not of their
// shape.

#include <string>

#include "transports/message.hpp"

namespace proxy {

struct Handshake {
  std::string client_name, client_version, server_name, server_version, protocol;
};

// From the request: the client's part.
void read_client(Handshake& handshake, const transports::Message& initialize);
// From an answer that is no error: the server's part, and the revision that holds.
void read_server(Handshake& handshake, const transports::Message& answer);

}  // namespace proxy
