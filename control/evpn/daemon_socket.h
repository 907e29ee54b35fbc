// DaemonSocket: detects whether the routing daemon (FRR's zebra) runs, and whether it was
// restarted, by the socket file that the daemon listens on: a restart makes a new file, and a
// running daemon holds the file open.
//
// Nothing connects to the socket: `sluiced` may lack the permission, and the daemon would notice.
// To find whether a daemon holds the socket, all of /proc/net/unix has to be read. So this is not
// checked at every turn.
// A file is identified by its inode and its birth time, which no later operation changes (chmod,
// chown, links, touch). The birth time is read once, when the file is first seen, so later changes
// of the system's clock do no harm.
// Bound: one statx(2) for `is_new`, one pass over /proc/net/unix for `is_held`. Limits: a daemon in
// another network namespace is not seen. A daemon that started before the switch seems younger if
// the clock was set back between the two starts. A file system without birth times has the time of
// the last change instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "dataplane/types/units.h"

namespace sluice::control::evpn {

class DaemonSocket {
  public:
    DaemonSocket(std::string path, Nanos now);

    [[nodiscard]] const std::string& path() const { return path_; }
    // Returns whether the socket exists and is a different file than at the last call or, at the
    // first call, than at construction.
    bool is_new(Nanos now);
    // Returns why statx(2) failed; empty: it succeeded, or the socket does not exist.
    [[nodiscard]] const std::string& why_unseen() const { return why_unseen_; }
    [[nodiscard]] bool is_held() const;
    // Returns when the daemon made the file, by the clock of `now`. Returns empty if no file was
    // ever seen, or if the system's clock has been set back since.
    [[nodiscard]] std::optional<Nanos> began() const { return began_; }

  private:
    // The inode of the file and its birth time by the system's clock.
    using Identity = std::pair<uint64_t, Nanos>;
    [[nodiscard]] std::optional<Identity> look();
    void see(const Identity& file, Nanos now);

    std::string path_;
    std::string why_unseen_;
    std::optional<Identity> last_;
    std::optional<Nanos> began_;
};

}  // namespace sluice::control::evpn
