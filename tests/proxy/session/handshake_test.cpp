#include "proxy/session/handshake.hpp"

#include "tests/catch.hpp"
#include "tests/proxy/messages.hpp"

using proxy_tests::message;

TEST_CASE("a handshake holds what both sides claim") {
  proxy::Handshake said;
  read_client(said, message(R"({"jsonrpc":"2.0","id":1,"method":"initialize",)"
                            R"("params":{"clientInfo":{"name":"c","version":"1"}}})"));
  read_server(said, message(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18",)"
                            R"("serverInfo":{"name":"s","version":"2"}}})"));
  CHECK(said.client_name == "c");
  CHECK(said.client_version == "1");
  CHECK(said.protocol == "2025-06-18");
  CHECK(said.server_name == "s");
  CHECK(said.server_version == "2");
}

TEST_CASE("a claim of another shape is empty, and a long one is cut") {
  proxy::Handshake said;
  for (const char* params : {"{}", R"({"clientInfo":[]})", R"({"clientInfo":{"name":{},"version":2}})"}) {
    read_client(said, message(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)" +
                              std::string(params) + "}"));
    CHECK(said.client_name.empty());
    CHECK(said.client_version.empty());
  }
  read_client(said, message(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"));
  CHECK(said.client_name.empty());
  read_server(said, message(R"({"jsonrpc":"2.0","id":1,"result":7})"));
  CHECK(said.protocol.empty());
  read_server(said, message(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" +
                            std::string(9999, 'p') + "\"}}"));
  CHECK(said.protocol.size() < 300);
}
