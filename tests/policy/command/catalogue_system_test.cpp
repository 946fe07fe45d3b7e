// What the entries of programs for processes, services and users come to.

#include "tests/policy/command/catalogue.hpp"

using namespace policy;
using namespace policy_tests;

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
