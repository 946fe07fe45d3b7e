// What the entries of package managers come to.

#include "tests/policy/command/catalogue.hpp"

using namespace policy;
using namespace policy_tests;

TEST_CASE("package managers are understood, and what runs any package is not") {
  check_understood({"npm ci",
                    "npm run build",
                    "npm test -- --watch=false",
                    "npm install --save-dev x",
                    "npm ls --depth=0",
                    "pnpm install --frozen-lockfile",
                    "pnpm run build",
                    "yarn add x",
                    "pip list",
                    "pip install --pre x",
                    "uv sync",
                    "uv pip list",
                    "poetry install",
                    "cargo build --release --target x",
                    "cargo test -- --nocapture",
                    "go test ./... -run X -v",
                    "go build ./...",
                    "go vet ./...",
                    "go mod tidy",
                    "apt list --installed",
                    "dnf info x",
                    "brew info x",
                    "gem list",
                    "bundle install",
                    "composer install",
                    "mvn -q -B test -Dtest=X",
                    "mvn -pl core -am -ntp verify",
                    "gradle test --tests X",
                    "dotnet test -c Release --no-build"});
  check({
      {"pip install -r req.txt", {"read /w/req.txt"}},
      {"pip install -t out x", {"write /w/out/"}},
      {"cargo build --target-dir out", {"write /w/out/"}},
      {"go build -o app .", {"write /w/app"}},
      {"uv pip compile a.in -o a.txt", {"write /w/a.txt"}},
      {"npm install --registry=https://h/", {"connect https://h/"}},
      {"dotnet publish -o out", {"write /w/out/"}},
  });
  check_open({"npx -c x", "npx -p x y", "npm exec -c x", "npm init x", "pnpm dlx --package x y", "yarn dlx x",
              "uvx --from x y", "uv run python -c x", "pipx run x", "poetry run python -c x",
              "bundle exec ruby -e x", "cargo --config a build", "go build -toolexec x", "go run -exec x .",
              "pip install --python x y", "gradle -I a test", "mvn -f a test", "npm config set a b"});
  CHECK(told("uv run pytest -q") == Told{"run uv run pytest -q"});
  CHECK(told("npx tsc --noEmit") == Told{"read /w/", "run npx tsc --noEmit"});
  CHECK(denied("npx rm x", "rm"));
  CHECK(denied("uv run rm -rf x", "rm"));
  CHECK(denied("bundle exec rm x", "rm"));
}
