// KeptOut: the machine's own network kept off an interface that is the switch's, for as long as
// this lives. Without it the kernel answers ARP there for each address that the machine has, with
// the port's MAC, and sends IPv6 of its own: where a host has such an address too, both are
// `same_port`.
//
// Sets arp_ignore to 8 (it answers for none) and disable_ipv6, and sets back what it changed; a
// process that is killed, or has neither the user root nor CAP_NET_ADMIN any more, leaves them set.
// Source: Documentation/networking/ip-sysctl.rst.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sluice::pmd::packet {

class KeptOut {
  public:
    KeptOut() = default;  // of no interface
    explicit KeptOut(const std::string& interface);
    KeptOut(KeptOut&& other) noexcept { *this = std::move(other); }
    KeptOut& operator=(KeptOut&& other) noexcept;
    ~KeptOut() { set_back(); }

    // What it could not set, a line each.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

  private:
    struct Setting {
        std::string path;
        std::string value;
    };

    void set(const std::string& path, const char* value, const std::string& notice);
    void set_back();

    std::vector<Setting> before_;
    std::vector<std::string> notices_;
};

}  // namespace sluice::pmd::packet
