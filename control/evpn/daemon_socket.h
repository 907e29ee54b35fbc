// DaemonSocket: whether the routing daemon (FRR's zebra) runs, and whether it was restarted, by the
// socket in the file system that it listens on: a restart makes a new file, and a running daemon
// holds it open.
//
// Nothing connects to it: `sluiced` may lack the right to, and the daemon need not notice. Whether
// the socket is held is read from /proc/net/unix as a whole, so it is not asked at every turn.
// Bound: one stat(2), or the length of that file. A daemon in another network namespace is not
// seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "dataplane/units.h"

namespace sluice::control::evpn {

class DaemonSocket {
  public:
    explicit DaemonSocket(std::string path);

    [[nodiscard]] const std::string& path() const { return path_; }
    // Whether it is another than at the last call, or at the start, and there.
    bool is_new();
    // Why that cannot be seen; empty: it can, or there is none.
    [[nodiscard]] const std::string& why_unseen() const { return why_unseen_; }
    [[nodiscard]] bool is_held() const;
    // How long ago the daemon made it, by the clock of the system; none: it is not there, or that
    // clock was set back since.
    [[nodiscard]] std::optional<Nanos> age() const;

  private:
    // Which file it is, and since when.
    using Identity = std::pair<uint64_t, int64_t>;
    [[nodiscard]] std::optional<Identity> look();

    std::string path_;
    std::string why_unseen_;
    std::optional<Identity> last_;
};

}  // namespace sluice::control::evpn
