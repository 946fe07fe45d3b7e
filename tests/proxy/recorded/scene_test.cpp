#include "proxy/recorded/scene.hpp"

#include "tests/catch.hpp"

using namespace proxy;

TEST_CASE("a scene on record is read as it was written") {
  const RecordedScene scene{"/w", "/w/a", {"/w", "/x \"y\""}, "/home/dev", "dev"};
  CHECK(scene_from_payload(scene_payload(scene)) == scene);
  const RecordedScene without{"/w", "/w", {}, "", ""};  // of an earlier callgate
  CHECK(scene_from_payload(R"({"directory":"/w","folders":[],"workspace":"/w"})") == without);
  CHECK(scene_from_payload(scene_payload({"/w", "/w", {}, "/home/\xff", ""})) == without);
  CHECK(folders_from_payload(folders_payload({"/a", "/b"})) == std::vector<std::string>{"/a", "/b"});
}

TEST_CASE("a scene with a path that JSON cannot hold is none") {
  CHECK(scene_payload({"/w\xff", "/w", {}, "", ""}) == "null");
  CHECK(folders_payload({"/\xff"}) == "null");
}

TEST_CASE("what is no scene is not guessed at") {
  for (const char* text :
       {"", "null", "[]", "{}", R"({"workspace":"/w","folders":[]})",
        R"({"workspace":"w","directory":"/w","folders":[]})", R"({"workspace":"/w","directory":"/w"})",
        R"({"workspace":"/w","directory":"/w","folders":["a"]})",
        R"({"workspace":"/w","directory":1,"folders":[]})"}) {
    INFO(text);
    CHECK_FALSE(scene_from_payload(text).has_value());
    CHECK_FALSE(folders_from_payload(std::string_view(text) == "[]" ? "[1]" : text).has_value());
  }
}
