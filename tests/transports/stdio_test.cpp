#include "transports/stdio.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <string>

#include "tests/catch.hpp"

namespace asio = boost::asio;
using base::Descriptor;
using base::Result;
using transports::LineSink;
using transports::LineSource;

namespace {

struct Pipe {
  Descriptor read;
  Descriptor write;
  Pipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    read.reset(ends[0]);
    write.reset(ends[1]);
    ::fcntl(write.get(), F_SETPIPE_SZ, 4096);
  }
};

bool non_blocking(int descriptor) { return (::fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0; }

asio::awaitable<void> read_all(LineSource& source, std::string& text, bool& ended) {
  std::array<char, 1000> buffer{};
  for (;;) {
    const Result<std::size_t> size = co_await source.read(buffer);
    if (!size) text += "!" + size.error().message();
    if (!size || *size == 0) break;
    text.append(buffer.data(), *size);
  }
  ended = true;
}

asio::awaitable<void> note_room(LineSink& sink, bool& noted) {
  co_await sink.room();
  noted = true;
}

asio::awaitable<void> note_drained(LineSink& sink, std::string& noted) {
  const Result<void> result = co_await sink.drained();
  noted = result ? "drained" : result.error().message();
}

std::string read_file_source(const char* path) {
  asio::io_context context;
  LineSource source(context.get_executor(), Descriptor(::open(path, O_RDONLY | O_CLOEXEC)));
  std::string text;
  bool ended = false;
  asio::co_spawn(context, read_all(source, text, ended), asio::detached);
  context.run();
  CHECK(ended);
  return text;
}

}  // namespace

TEST_CASE("a source reads pipes until their end") {
  asio::io_context context;
  Pipe pipe;
  LineSource source(context.get_executor(), std::move(pipe.read));
  std::string text;
  bool ended = false;
  asio::co_spawn(context, read_all(source, text, ended), asio::detached);
  context.poll();
  REQUIRE(::write(pipe.write.get(), "one", 3) == 3);
  context.poll();
  CHECK(text == "one");
  CHECK_FALSE(ended);
  REQUIRE(::write(pipe.write.get(), "two", 3) == 3);
  pipe.write.reset();
  context.run();
  CHECK(text == "onetwo");
  CHECK(ended);
}

TEST_CASE("a source reads what epoll refuses") {
  CHECK(read_file_source("/dev/null").empty());
  const std::string itself = read_file_source(CALLGATE_SOURCE_DIR "/tests/transports/stdio_test.cpp");
  CHECK(itself.size() > 2000);
  CHECK(itself.starts_with("#include"));
}

TEST_CASE("closing a source ends its pending read") {
  asio::io_context context;
  Pipe pipe;
  LineSource source(context.get_executor(), std::move(pipe.read));
  std::string text;
  bool ended = false;
  asio::co_spawn(context, read_all(source, text, ended), asio::detached);
  context.poll();
  source.close();
  context.run();
  CHECK(ended);
  CHECK(text == "!the stream is closed");
}

TEST_CASE("a shared descriptor blocks again once source and sink are gone") {
  asio::io_context context;
  Pipe pipe;
  {
    LineSource source(context.get_executor(), transports::duplicate(pipe.read.get()).value());
    LineSink sink(context.get_executor(), transports::duplicate(pipe.write.get()).value(), 100);
    std::string text;
    bool ended = false;
    asio::co_spawn(context, read_all(source, text, ended), asio::detached);
    CHECK(sink.post("x"));
    context.poll();
    CHECK(text == "x\n");
    CHECK(non_blocking(pipe.read.get()));
    CHECK(non_blocking(pipe.write.get()));
    source.close();
    context.run();
  }
  CHECK_FALSE(non_blocking(pipe.read.get()));
  CHECK_FALSE(non_blocking(pipe.write.get()));
}

TEST_CASE("what was non-blocking before stays so") {
  asio::io_context context;
  Pipe pipe;
  ::fcntl(pipe.write.get(), F_SETFL, O_NONBLOCK);
  { const LineSink sink(context.get_executor(), transports::duplicate(pipe.write.get()).value(), 100); }
  CHECK(non_blocking(pipe.write.get()));
}

TEST_CASE("a line is written at once, before the loop turns") {
  asio::io_context context;
  Pipe pipe;
  LineSink sink(context.get_executor(), std::move(pipe.write), 100);
  CHECK(sink.post("hello"));
  CHECK(sink.queued_bytes() == 0);
  char buffer[10];
  CHECK(::read(pipe.read.get(), buffer, sizeof buffer) == 6);
  CHECK(std::string(buffer, 6) == "hello\n");
}

TEST_CASE("lines keep their order through a slow reader, and room and drained come when they are true") {
  asio::io_context context;
  Pipe pipe;
  LineSource source(context.get_executor(), std::move(pipe.read));
  LineSink sink(context.get_executor(), std::move(pipe.write), 100'000);
  std::string expected;
  for (int i = 0; i < 400; ++i) {
    const std::string line = std::to_string(i) + std::string(static_cast<std::size_t>(i) * 7 % 900, 'x');
    expected += line + "\n";
    CHECK(sink.post(line));
  }
  REQUIRE(sink.queued_bytes() > 100'000);
  bool room = false;
  std::string drained;
  asio::co_spawn(context, note_room(sink, room), asio::detached);
  asio::co_spawn(context, note_drained(sink, drained), asio::detached);
  context.poll();
  CHECK_FALSE(room);
  CHECK(drained.empty());
  std::string text;
  bool ended = false;
  asio::co_spawn(context, read_all(source, text, ended), asio::detached);
  while (drained.empty()) {
    REQUIRE(context.run_one() == 1);
    if (sink.queued_bytes() > 100'000) CHECK_FALSE(room);
  }
  CHECK(room);
  CHECK(drained == "drained");
  sink.close();
  context.run();
  CHECK(text == expected);
  CHECK(ended);
}

TEST_CASE("a peer that does not read is given up at twice the limit") {
  asio::io_context context;
  Pipe pipe;
  LineSink sink(context.get_executor(), std::move(pipe.write), 1000);
  CHECK(sink.post(std::string(10'000, 'x')));  // one line of any size may wait
  CHECK(sink.queued_bytes() > 2000);
  CHECK_FALSE(sink.post("y"));
  CHECK(sink.take_failure()->code() == base::Code::limit);
  CHECK_FALSE(sink.take_failure());
}

TEST_CASE("a closed peer is told once and loses the lines") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  asio::io_context context;
  Pipe pipe;
  LineSink sink(context.get_executor(), std::move(pipe.write), 100'000);
  CHECK(sink.post(std::string(50'000, 'x')));
  std::string drained;
  asio::co_spawn(context, note_drained(sink, drained), asio::detached);
  context.poll();
  CHECK(drained.empty());
  pipe.read.reset();
  context.run();
  CHECK(drained == "the peer has closed its input");
  CHECK_FALSE(sink.post("y"));
  CHECK(sink.take_failure()->code() == base::Code::unavailable);
  CHECK_FALSE(sink.take_failure());
  std::signal(SIGPIPE, before);
}

TEST_CASE("a sink that goes while somebody waits leaves nothing behind") {
  asio::io_context context;
  Pipe pipe;
  std::string drained;
  {
    LineSink sink(context.get_executor(), std::move(pipe.write), 1000);
    CHECK(sink.post(std::string(50'000, 'x')));
    asio::co_spawn(context, note_drained(sink, drained), asio::detached);
    context.poll();
  }
  context.run();
  CHECK(drained == "the stream is closed");
}
