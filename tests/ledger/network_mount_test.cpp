#include "ledger/network_mount.hpp"

#include "tests/catch.hpp"

namespace {

constexpr const char* mounts =
    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
    "30 22 0:40 / /home rw shared:2 master:1 - nfs4 server:/home rw,vers=4.2\n"
    "31 30 254:1 / /home/ann/local\\040disk rw - ext4 /dev/vdb rw\n"
    "32 22 0:41 / /mnt/c rw,noatime - 9p C:\\134 rw,aname=drvfs;path=C:\\,trans=fd\n"
    "33 22 0:42 / /srv/x rw - 9p root rw,trans=fd\n"
    "34 22 0:43 / /mnt/remote rw - fuse.sshfs host: rw\n"
    "35 22 0:44 / /mnt/twice rw - nfs server:/a rw\n"
    "36 35 0:45 / /mnt/twice rw - tmpfs tmpfs rw\n"
    "broken\n";

std::optional<std::string> at(const char* path) { return ledger::network_mount(mounts, path); }

}  // namespace

TEST_CASE("a folder on another machine's disk is known by its mount", "[network]") {
  CHECK(at("/home/ann/.local/state/callgate") == "nfs4");
  CHECK(at("/mnt/c/state") == "9p");
  CHECK(at("/mnt/remote") == "fuse.sshfs");
}

TEST_CASE("a folder on a disk of this machine is none, whatever is mounted near it", "[network]") {
  CHECK_FALSE(at("/"));
  CHECK_FALSE(at("/homestead"));
  CHECK_FALSE(at("/home/ann/local disk/state"));
  CHECK_FALSE(at("/srv/x/state"));
  CHECK_FALSE(at("/mnt/twice/state"));
  CHECK_FALSE(ledger::network_mount("", "/home"));
}
