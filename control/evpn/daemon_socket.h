// DaemonSocket: what a socket in the file system says of the routing daemon that made it: that it
// began anew, since then it is another file, and whether it is there, since then it holds it.
//
// Nobody connects: `sluiced` may not always, and the daemon need not know of it. Whether somebody
// holds it is in /proc/net/unix, which is read in whole: that is not for every turn.
// Not done here: a daemon in another network namespace, which seems not to be there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

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

  private:
    // Which file it is, and since when.
    using Identity = std::pair<uint64_t, int64_t>;
    [[nodiscard]] std::optional<Identity> look();

    std::string path_;
    std::string why_unseen_;
    std::optional<Identity> last_;
};

}  // namespace sluice::control::evpn
