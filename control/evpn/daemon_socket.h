// DaemonSocket: whether the routing daemon (FRR's zebra) runs, and whether it was restarted, by the
// socket in the file system that it listens on: a restart makes a new file, and a running daemon
// holds it open.
//
// Nothing connects to it: `sluiced` may lack the right to, and the daemon need not notice. Whether
// the socket is held is read from /proc/net/unix as a whole, so it is not asked at every turn.
// A file is known by its inode and its birth, which nothing changes that is done to it later
// (chmod, chown, links, touch). When it was born is looked at once, as soon as it is seen: so the
// clock of the system may be set as it likes while the switch runs.
// Bound: one statx(2), or the length of that file. Limits: a daemon in another network namespace is
// not seen; of one that was there before the switch, a clock that was set back between the two
// makes it younger by so much; a file system without births has the last change in their place.
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
    // Whether it is another than at the last call, or at the start, and there.
    bool is_new(Nanos now);
    // Why that cannot be seen; empty: it can, or there is none.
    [[nodiscard]] const std::string& why_unseen() const { return why_unseen_; }
    [[nodiscard]] bool is_held() const;
    // When the daemon made it, by the clock of `now`; none: it never was there, or the clock of the
    // system had been set back since.
    [[nodiscard]] std::optional<Nanos> began() const { return began_; }

  private:
    // Which file it is, and its birth by the clock of the system.
    using Identity = std::pair<uint64_t, Nanos>;
    [[nodiscard]] std::optional<Identity> look();
    void see(const Identity& file, Nanos now);

    std::string path_;
    std::string why_unseen_;
    std::optional<Identity> last_;
    std::optional<Nanos> began_;
};

}  // namespace sluice::control::evpn
