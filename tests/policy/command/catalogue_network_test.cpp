// What the entries of programs that reach the network come to.

#include "tests/policy/command/catalogue.hpp"

using namespace policy;
using namespace policy_tests;

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
