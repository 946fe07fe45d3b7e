// What the entries of the catalogue come to: for each family what is harmless and what is not. Here: files
// and text.

#include "tests/policy/command/catalogue.hpp"

using namespace policy;
using namespace policy_tests;

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
      {"zip -qr a.zip src", {"read /w/a.zip", "read /w/src/", "write /w/a.zip"}},
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

TEST_CASE("an option that is another's value changes nothing") {
  check({
      {"grep -A 1 -e -r a", {"read /w/a"}},
      {"grep -ner a", {"read /w/a"}},
  });
}
