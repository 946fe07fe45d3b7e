// What the entries of the catalogue come to: for each family what is harmless and what is not.

#include "policy/command/runs.hpp"
#include "tests/policy/command/commands.hpp"

using namespace policy;
using namespace policy_tests;

using Told = std::vector<std::string>;

namespace {

bool understood(const Told& told) {
  return std::none_of(told.begin(), told.end(), [](const std::string& each) { return each.ends_with('?'); });
}

// Lines of which nothing is left open.
void check_understood(const std::vector<const char*>& lines) {
  for (const char* line : lines) {
    INFO(line);
    const Told effects = told(line);
    CAPTURE(effects);
    CHECK(understood(effects));
  }
}

void check_open(const std::vector<const char*>& lines) {
  for (const char* line : lines) {
    INFO(line);
    CHECK_FALSE(understood(told(line)));
  }
}

struct Row {
  const char* line;
  Told told;  // beside the run itself
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.line);
    Told expected = row.told;
    expected.push_back("run " + std::string(row.line));
    std::sort(expected.begin(), expected.end());
    CHECK(told(row.line) == expected);
  }
}

}  // namespace

TEST_CASE("every program that the issue of agents needs is in the catalogue") {
  for (const char* program :
       {"cat",     "ls",      "find",      "grep",      "sed",        "awk",     "tar",         "xargs",
        "git",     "ssh",     "scp",       "rsync",     "curl",       "wget",    "npm",         "pnpm",
        "yarn",    "pip",     "uv",        "poetry",    "cargo",      "go",      "apt",         "dnf",
        "brew",    "gem",     "bundle",    "composer",  "mvn",        "gradle",  "dotnet",      "make",
        "cmake",   "ninja",   "just",      "docker",    "podman",     "kubectl", "helm",        "python",
        "node",    "deno",    "bun",       "ruby",      "perl",       "php",     "java",        "lua",
        "Rscript", "vim",     "nano",      "emacs",     "ed",         "code",    "ps",          "kill",
        "pkill",   "killall", "systemctl", "service",   "journalctl", "chmod",   "chown",       "crontab",
        "at",      "zip",     "unzip",     "gzip",      "gunzip",     "bzip2",   "xz",          "zstd",
        "7z",      "jq",      "yq",        "diff",      "patch",      "top",     "lsof",        "ss",
        "netstat", "ip",      "ping",      "dig",       "nslookup",   "host",    "openssl",     "gpg",
        "sqlite3", "psql",    "mysql",     "redis-cli", "terraform",  "aws",     "gcloud",      "az",
        "gh",      "tmux",    "screen",    "mount",     "umount",     "dd",      "mkfs",        "useradd",
        "passwd",  "pytest",  "jest",      "vitest",    "mocha",      "tsc",     "eslint",      "prettier",
        "ruff",    "black",   "mypy",      "rubocop",   "gofmt",      "rustfmt", "clang-format"}) {
    INFO(program);
    CHECK(built_in_catalogue()->command(program) != nullptr);
  }
}

TEST_CASE("reading files and looking for text is understood") {
  check_understood({"ls -lah --color=auto src",
                    "cat -n a",
                    "head -n 20 a",
                    "tail -n +5 a",
                    "wc -l a b",
                    "stat -c '%s' a",
                    "file -b a",
                    "du -sh src",
                    "df -h",
                    "tree -L 2 -I node_modules",
                    "diff -u a b",
                    "cmp a b",
                    "cut -d: -f1 a",
                    "sort -t, -k2,2n a",
                    "uniq -c a",
                    "tr a b",
                    "nl -ba a",
                    "column -t -s, a",
                    "sha256sum a",
                    "xxd -l 16 a",
                    "hexdump -C a",
                    "fold -w 80 a",
                    "shuf -n 1 a",
                    "grep -rn --include='*.ts' foo src",
                    "grep -oP 'x' a",
                    "rg -n --hidden -g '!.git' foo",
                    "find . -name '*.c' -type f -not -path './build/*'",
                    "find src -maxdepth 2 -newer a -print0",
                    "fd -e ts foo",
                    "sed -n '1,20p' a",
                    "awk -F, '{print $1}' a",
                    "jq -r '.a[]' a.json",
                    "jq --arg n v '.x == $n' a.json",
                    "yq '.a' a.yaml",
                    "base64 -d a",
                    "strings -n 8 a",
                    "mktemp -d",
                    "realpath a",
                    "bat -p a"});
  check({
      {"tree -o out", {"read /w/", "write /w/out"}},
  });
}

TEST_CASE("what changes files says which") {
  check_understood({"mkdir -p a/b", "touch a", "cp -r a b", "mv -f a b", "ln -sfn a b", "rm -rf build",
                    "chmod -R u+x a", "tee -a a", "truncate -s 0 a", "patch -p1 -i a.diff", "dos2unix a"});
  check({
      {"cp -t d a b", {"read /w/a", "read /w/b", "write /w/d/"}},
      {"mv -t d a", {"delete /w/a", "read /w/a", "write /w/d/"}},
      {"install -d a", {"write /w/a"}},
      {"find . -name x -delete", {"delete /w/", "read /w/"}},
      {"yq -i .a=1 a.yaml", {"read /w/a.yaml", "write /w/a.yaml"}},
      {"sed -i s/a/b/ a", {"read /w/a", "write /w/a"}},
      {"shuf -o out a", {"read /w/a", "write /w/out"}},
      {"patch --dry-run -i a.diff", {"read /w/", "read /w/a.diff"}},
      {"diff --from-file a b", {"read /w/a", "read /w/b"}},
  });
  check_open({"jq --slurpfile a b '.x' c", "patch -e a b", "file -f names", "du -L src", "rename s/a/b/ a",
              "ldd ./a"});
}

TEST_CASE("bundles tell what they read and where they write") {
  check({
      {"unzip -l a.zip", {"read /w/a.zip"}},
      {"unzip -q a.zip", {"read /w/a.zip", "write /w/"}},
      {"unzip a.zip -d out", {"read /w/a.zip/", "write /w/out/"}},
      {"zip -qr a.zip src", {"read /w/a.zip/", "read /w/src/", "write /w/a.zip/"}},
      {"gzip -k a", {"read /w/a", "write /w/a"}},
      {"gzip -dc a.gz", {"read /w/a.gz"}},
      {"xz -T0 -c a", {"read /w/a"}},
      {"zstd -19 a -o b", {"read /w/a", "write /w/a", "write /w/b"}},
      {"tar -tvf a.tar", {"read /w/a.tar"}},
      {"tar --exclude=x -czf a.tgz src", {"read /w/src/", "write /w/a.tgz"}},
  });
  check_open({"7z x a.7z", "zip -T -TT 'rm x' a.zip", "tar -xPf a.tar", "tar -xf a.tar --to-command=sh",
              "unzip -: a.zip"});
}

TEST_CASE("git that only looks is understood") {
  check_understood({"git status -sb",
                    "git --no-pager log --oneline --graph --all -n 5",
                    "git log --since='2 days ago' --stat -p a",
                    "git show --stat HEAD",
                    "git diff --cached --name-only",
                    "git diff HEAD~1 -- a",
                    "git blame -L 1,5 a",
                    "git shortlog -sn",
                    "git describe --tags --always",
                    "git rev-parse --abbrev-ref HEAD",
                    "git rev-list --count HEAD",
                    "git ls-files -o --exclude-standard",
                    "git ls-tree -r --name-only HEAD",
                    "git cat-file -p HEAD:a",
                    "git grep -n foo",
                    "git branch -vv -a",
                    "git branch --show-current",
                    "git tag -l 'v*' --sort=-v:refname",
                    "git remote -v",
                    "git remote get-url origin",
                    "git config --get user.name",
                    "git config user.name",
                    "git config --list --show-origin",
                    "git stash list",
                    "git stash show -p",
                    "git reflog -5",
                    "git for-each-ref --format='%(refname)'",
                    "git merge-base main HEAD",
                    "git name-rev HEAD",
                    "git symbolic-ref --short HEAD",
                    "git worktree list",
                    "git submodule status",
                    "git bisect log",
                    "git fsck --full",
                    "git check-ignore -v a",
                    "git notes show",
                    "git -C sub status",
                    "git stash",
                    "git reflog"});
}

TEST_CASE("git that changes or reaches something says what") {
  check({
      {"git rm -r a", {"delete /w/a/"}},
      {"git mv a b", {"delete /w/a", "read /w/a", "write /w/b"}},
      {"git clean -fd", {"delete /w/"}},
      {"git clean -nd", {}},
      {"git clean -f a", {"delete /w/a/"}},
      {"git clone https://h/r d", {"connect https://h/r", "write /w/d/"}},
      {"git clone u@h:r", {"connect ssh://h"}},
      {"git push https://h/r main", {"connect https://h/r"}},
      {"git push origin main", {}},
      {"git fetch u@h:r", {"connect ssh://h"}},
      {"git remote add x https://h/r", {"connect https://h/r"}},
      {"git init -q d", {"write /w/d"}},
      {"git worktree add -b x ../d", {"write /d/"}},
      {"git bundle create a.bundle --all", {"write /w/a.bundle"}},
      {"git log --output=a", {"write /w/a"}},
      {"git rev-list --output=a HEAD", {"write /w/a"}},
      {"git commit -F msg", {"read /w/msg"}},
      {"git commit -m x --no-verify", {}},
      {"git apply --check a.diff", {"read /w/a.diff"}},
      {"git apply a.diff", {"read /w/a.diff", "write /w/"}},
      {"git format-patch -o out HEAD~1", {"write /w/", "write /w/out/"}},
      {"git archive -o a.tar HEAD", {"write /w/a.tar"}},
      {"git blame --contents=a b", {"read /w/a"}},
      {"git diff -U /etc/hosts a", {"read /etc/hosts/"}},
  });
  check_understood({"git add -A", "git commit -am x", "git checkout -b x", "git checkout -- a",
                    "git switch -c x", "git restore --staged a", "git reset --hard HEAD~1",
                    "git merge --no-ff x", "git rebase main", "git cherry-pick -x abc",
                    "git revert --no-edit HEAD", "git pull --rebase origin main", "git fetch --all --prune",
                    "git push -u origin HEAD", "git stash pop", "git tag -a v1 -m x", "git remote remove x",
                    "git gc --auto", "git am a.patch"});
  check_open({"git -c core.pager=x log",
              "git config core.pager x",
              "git config core.pager x --get",
              "git config edit",
              "git config --unset a.b",
              "git grep -Ox a",
              "git rebase -i main",
              "git rebase -x make",
              "git clone -c core.sshCommand=x https://h/r",
              "git clone --recursive https://h/r",
              "git clone 'ext::sh -c x'",
              "git fetch --upload-pack=x h:r",
              "git push --receive-pack=x h:r",
              "git submodule foreach ls",
              "git submodule update --init",
              "git bisect run make",
              "git filter-branch",
              "git difftool",
              "git credential fill",
              "git maintenance start",
              "git diff --ext-diff",
              "git log --textconv",
              "git remote add x ext::sh",
              "git notes edit",
              "git ls-remote --upload-pack=x h:r",
              "git cat-file --filters a"});
}

TEST_CASE("what reaches the network says where") {
  check_understood({"curl -sSf -w '%{http_code}' -o /dev/null https://h/x",
                    "curl -I --compressed https://h/x", "curl -s --retry 3 -H 'Accept: a/b' https://h/x",
                    "wget -nv -O a https://h/x"});
  check({
      {"ping -c 1 h", {"connect http://h"}},
      {"ssh-keygen -t ed25519 -f k", {"write /w/k"}},
      {"openssl s_client -connect h:443", {"connect http://h:443"}},
  });
  check_open({"curl -b jar -L https://h/x", "curl -K a https://h/x", "curl -F a=@b https://h/x", "nc h 1",
              "ssh h ls", "rsync -e x a h:b", "scp -S x a h:b", "wget -i a", "dig -f a", "ssh-keygen -D x"});
  check_understood({"dig +short example.com", "nslookup example.com", "host example.com", "rsync -avn a b"});
}

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

TEST_CASE("processes, services and users") {
  check_understood({"ps aux",
                    "kill -9 12",
                    "pkill -f x",
                    "killall x",
                    "top -b -n 1",
                    "lsof -i :80",
                    "ss -tlnp",
                    "netstat -an",
                    "ip addr show",
                    "ip -br a",
                    "systemctl status x",
                    "systemctl --user list-units --no-pager",
                    "systemctl restart x",
                    "service x status",
                    "journalctl -u x -n 50 --no-pager",
                    "crontab -l",
                    "uname -a",
                    "free -h",
                    "tmux ls",
                    "tmux capture-pane -p -t a",
                    "mount",
                    "dmesg -T",
                    "lscpu",
                    "who -b",
                    "test -f a",
                    "sysctl -a"});
  check_open({"crontab a", "crontab -e", "at now", "systemctl edit x", "systemctl -H h status",
              "tmux send-keys -t a x Enter", "screen -S a", "mount /dev/a /b", "umount /b",
              "mkfs.ext4 /dev/a", "useradd x", "passwd x", "ip link set a up", "ss -K",
              "journalctl --vacuum-size=1", "strace ls", "fuser -k 80/tcp", "ip netns exec a ls"});
}

TEST_CASE("containers, clusters and clouds") {
  check_understood({"docker ps -a",
                    "docker logs -f x",
                    "docker images",
                    "docker compose ps",
                    "docker compose logs x",
                    "docker build -t x .",
                    "podman ps",
                    "kubectl get pods -n x -o wide",
                    "kubectl logs -f x",
                    "kubectl apply -f a.yaml",
                    "helm list -A",
                    "helm upgrade x y --set a=b",
                    "terraform plan",
                    "aws s3 ls",
                    "gcloud projects list",
                    "az group list",
                    "gh pr list --limit 5",
                    "gh pr view 1 --json title",
                    "gh issue create -t x -b y",
                    "gh repo view",
                    "gh run list",
                    "gh api repos/o/r/pulls",
                    "gh auth status"});
  check({
      {"docker build -f D -t x sub", {"read /w/D", "read /w/sub/"}},
      {"docker save x -o a.tar", {"write /w/a.tar"}},
      {"terraform plan -out=p", {"write /w/p"}},
      {"gh pr create --body-file a", {"read /w/a"}},
      {"helm template x --output-dir out", {"write /w/out/"}},
  });
  check_open({"docker run x", "docker exec x y", "docker compose exec x y", "docker -H h ps", "podman run x",
              "kubectl exec x -- y", "kubectl --kubeconfig a get pods", "helm install x y --post-renderer z",
              "terraform console", "gh alias set x y", "gh extension install x", "gh repo clone o/r -- -u x",
              "gh auth token", "gh x", "aws configure set a b"});
}

TEST_CASE("databases and keys") {
  check({
      {"openssl x509 -in a.pem -noout -text", {"read /w/a.pem"}},
      {"openssl dgst -sha256 a", {"read /w/a"}},
      {"openssl rand -hex 16", {}},
      {"gpg --verify a.sig a", {"read /w/a", "read /w/a.sig"}},
      {"gpg --list-keys", {}},
      {"pg_dump -f out db", {"write /w/out"}},
  });
  check_open({"openssl enc -d -in a", "openssl dgst -engine x a", "gpg -d a", "sqlite3 a.db '.shell x'",
              "psql -c x", "psql db -f a", "mysql db", "redis-cli get a"});
}

TEST_CASE("an option that is another's value changes nothing") {
  check({
      {"grep -A 1 -e -r a", {"read /w/a"}},
      {"grep -ner a", {"read /w/a"}},
  });
}
