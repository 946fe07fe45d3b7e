#include "transports/line_framer.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

using transports::LineFramer;

namespace {

// What came out, one text a line: the bytes, or `!` and the refusal's id.
void drain(LineFramer& framer, std::vector<std::string>& out) {
  while (auto line = framer.next()) out.push_back(line->refusal ? "!" + line->refusal->id : line->bytes);
}

std::vector<std::string> framed(std::string_view bytes, std::size_t limit = 100) {
  LineFramer framer(limit);
  std::vector<std::string> out;
  framer.push(bytes);
  drain(framer, out);
  return out;
}

std::string oversize(const std::string& body) {
  return R"({"method":"tools/call","params":{"x":"{\"id\":5,)" + body + R"("},"jsonrpc":"2.0","id":"last"})";
}

}  // namespace

TEST_CASE("lines end at the newline and keep the carriage return") {
  CHECK(framed("a\nb\r\n\n \t\r\n  \nc") == std::vector<std::string>{"a", "b\r"});
  CHECK(framed(std::string("a\0b\n", 4)) == std::vector<std::string>{std::string("a\0b", 3)});
}

TEST_CASE("an unfinished line is not a message") {
  LineFramer framer(10);
  CHECK_FALSE(framer.unfinished());
  framer.push("ab");
  CHECK_FALSE(framer.next());
  CHECK(framer.unfinished());
  framer.push("c\n  ");
  CHECK(framer.next()->bytes == "abc");
  CHECK_FALSE(framer.next());
  CHECK_FALSE(framer.unfinished());
  framer.push(std::string(20, 'x'));
  CHECK_FALSE(framer.next());
  CHECK(framer.unfinished());
  framer.push("\n");
  CHECK(framer.next()->refusal);
  CHECK_FALSE(framer.unfinished());
}

TEST_CASE("every split into pieces gives the same lines") {
  const std::string long_line = oversize(std::string(150, 'x'));
  const std::string sample = "{\"a\":1}\r\n\n" + long_line + "\n{\"é\":2}\n" + long_line + "\n   \nend\n";
  const std::vector<std::string> expected = {"{\"a\":1}\r", "!\"last\"", "{\"é\":2}", "!\"last\"", "end"};
  CHECK(framed(sample) == expected);
  for (std::size_t first = 0; first <= sample.size(); ++first) {
    for (const std::size_t second : {first, first + 1, first + 90, sample.size()}) {
      if (second > sample.size()) continue;
      LineFramer framer(100);
      std::vector<std::string> out;
      for (const std::string& piece :
           {sample.substr(0, first), sample.substr(first, second - first), sample.substr(second)}) {
        framer.push(piece);
        drain(framer, out);
      }
      CHECK(out == expected);
    }
  }
  LineFramer bytewise(100);
  std::vector<std::string> out;
  for (const char byte : sample) {
    bytewise.push({&byte, 1});
    drain(bytewise, out);
  }
  CHECK(out == expected);
}

TEST_CASE("pieces may be pushed without taking lines in between") {
  LineFramer framer(100);
  const std::string sample = "a\n" + oversize(std::string(200, 'x')) + "\nb\n";
  for (const char byte : sample) framer.push({&byte, 1});
  std::vector<std::string> out;
  drain(framer, out);
  CHECK(out == std::vector<std::string>{"a", "!\"last\"", "b"});
}

TEST_CASE("the limit is met exactly") {
  CHECK(framed(std::string(100, 'x') + "\n").front() == std::string(100, 'x'));
  CHECK(framed(std::string(101, 'x') + "\n").front() == "!");
}

TEST_CASE("a line of 64 MB gives its id from the end and keeps none of the bytes") {
  LineFramer framer(1u << 20);
  std::vector<std::string> out;
  framer.push(R"({"method":"tools/call","params":{"name":"a","arguments":{"id":3,"text":")");
  const std::string piece(65536, 'x');
  for (int i = 0; i < 1024; ++i) {
    framer.push(piece);
    drain(framer, out);
  }
  CHECK(out.empty());
  framer.push("\"}},\"jsonrpc\":\"2.0\",\"id\":12}\n{\"next\":1}\n");
  drain(framer, out);
  CHECK(out == std::vector<std::string>{"!12", "{\"next\":1}"});
}

TEST_CASE("oversize lines are told apart by what they are") {
  const std::string filler = R"("params":{"x":")" + std::string(200, 'x') + R"("})";
  const auto refusal = [](const std::string& line) {
    LineFramer framer(100);
    framer.push(line + "\n");
    return framer.next()->refusal.value();
  };
  CHECK(refusal(R"({"id":1,"method":"a",)" + filler + "}").answerable);
  CHECK(refusal(R"({"id":1,"method":"a",)" + filler + "}").code == -32600);
  CHECK(refusal(R"({"id":1,"method":"a",)" + filler + "}").error.code() == base::Code::limit);
  CHECK_FALSE(refusal(R"({"method":"a",)" + filler + "}").answerable);
  CHECK_FALSE(refusal(R"({"id":1,"result":{)" + filler + "}}").answerable);
  CHECK(refusal("{" + filler + R"(,"id":")" + std::string(300, 'x') + R"("})").id.empty());
  CHECK(refusal("{" + filler + R"(,"id":{"id":1}})").id.empty());
  CHECK(refusal("{" + filler + R"(,"id":null})").id == "null");
  CHECK(refusal("[" + filler + R"(,{"id":1}])").id.empty());
}

TEST_CASE("many small lines in one push come out in order") {
  std::string sample;
  for (int i = 0; i < 20'000; ++i) sample += std::to_string(i) + "\n";
  const auto out = framed(sample);
  REQUIRE(out.size() == 20'000);
  CHECK(out.front() == "0");
  CHECK(out.back() == "19999");
}

TEST_CASE("a large line followed by the start of the next is given whole") {
  LineFramer framer(1u << 20);
  const std::string large(100'000, 'x');
  framer.push(large.substr(0, 50'000));
  CHECK_FALSE(framer.next());
  framer.push(large.substr(50'000) + "\nnext");
  CHECK(framer.next()->bytes == large);
  CHECK_FALSE(framer.next());
  framer.push(" line\n");
  CHECK(framer.next()->bytes == "next line");
}
