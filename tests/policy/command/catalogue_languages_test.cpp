// What the entries of builds, languages, tests and formatters come to.

#include "tests/policy/command/catalogue.hpp"

using namespace policy;
using namespace policy_tests;

TEST_CASE("builds do what their directory says") {
  check_understood({"make -j4 test", "make -C sub all",
                    "cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -G Ninja",
                    "cmake --build build -j2 --target x", "ctest --output-on-failure", "ninja -C build",
                    "just -l", "just test", "gcc -O2 -Wall -o app main.c", "rake test"});
  check({
      {"cmake -B build", {"write /w/build/"}},
      {"gcc -o app main.c", {"read /w/main.c", "write /w/app"}},
      {"gcc -c main.c", {"read /w/main.c", "write /w/"}},
  });
  check_open({"make -f a", "make --eval=x", "cmake -P a", "cmake -E rm a", "ninja -f a", "just -f a x",
              "gcc -B x a.c", "gcc -o/etc/x a.c", "gcc @a"});
}

TEST_CASE("languages run scripts that are named, and code among the words is open") {
  check({
      {"python3 a.py --x", {"read /w/a.py"}},
      {"python3 -m pytest -q tests", {"read /w/tests/"}},
      {"node a.js", {"read /w/a.js"}},
      {"node --test", {}},
      {"node --check a.js", {"read /w/a.js"}},
      {"deno run -A a.ts", {"read /w/a.ts"}},
      {"ruby a.rb", {"read /w/a.rb"}},
      {"perl a.pl", {"read /w/a.pl"}},
      {"php -l a.php", {"read /w/a.php"}},
      {"java -jar a.jar --port 1", {"read /w/a.jar"}},
      {"lua a.lua", {"read /w/a.lua"}},
      {"Rscript --vanilla a.R", {"read /w/a.R"}},
      {"javac -d out A.java", {"read /w/A.java", "write /w/out/"}},
      {"bash a.sh -c x", {"read /w/a.sh"}},
  });
  check_understood(
      {"bun test", "bun run build", "deno test", "deno lint", "python3 --version", "node --version"});
  check_open({"python3 -c x",
              "python3",
              "python3 -",
              "node -e x",
              "node -r ./x a.js",
              "node --experimental_loader=x a.js",
              "deno eval x",
              "deno run https://h/x.ts",
              "bun -e x",

              "ruby -e x",
              "perl -ne x a",
              "php -r x",
              "php -S h:1",
              "java -javaagent:x -jar a.jar",
              "java @a",
              "lua -e x",
              "Rscript -e x",
              "R CMD x",
              "vim a",
              "nano a",
              "emacs a",
              "ed a",
              "code a"});
}

TEST_CASE("tests and formatters run what their directory configures, and rewrite where told to") {
  check({
      {"pytest -x -k foo tests", {"read /w/tests/"}},
      {"pytest --junitxml=out.xml", {"write /w/out.xml"}},
      {"tsc --noEmit", {"read /w/"}},
      {"eslint src", {"read /w/src/"}},
      {"eslint --fix src", {"read /w/src/", "write /w/src/"}},
      {"eslint -o out src", {"read /w/src/", "write /w/out"}},
      {"prettier --check .", {"read /w/"}},
      {"prettier --write a.ts", {"read /w/a.ts/", "write /w/a.ts/"}},
      {"ruff check --select E src", {"read /w/src/"}},
      {"ruff check --fix", {"read /w/", "write /w/"}},
      {"ruff format src", {"read /w/src/", "write /w/src/"}},
      {"black src", {"read /w/src/", "write /w/src/"}},
      {"mypy --strict src", {"read /w/", "read /w/src/"}},
      {"rubocop -a a.rb", {"read /w/a.rb/", "write /w/a.rb/"}},
      {"gofmt -l .", {"read /w/"}},
      {"gofmt -w a.go", {"read /w/a.go/", "write /w/a.go/"}},
      {"rustfmt a.rs", {"read /w/a.rs/", "write /w/a.rs/"}},
      {"clang-format a.c", {"read /w/a.c"}},
      {"clang-format -i a.c", {"read /w/a.c", "write /w/a.c"}},
  });
  check_understood({"jest --coverage src", "vitest run --coverage", "mocha test", "tox -e py3",
                    "golangci-lint run ./..."});
  check_open({"pytest -p x", "pytest --debug a", "mocha --require ./x", "eslint --rulesdir a src",
              "prettier --plugin=x a", "ruff check --config a", "rubocop -r ./x", "rustfmt --config-path a b",
              "black -c x"});
}
