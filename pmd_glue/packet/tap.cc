#include "pmd_glue/packet/tap.h"

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "pmd_glue/kernel_interface.h"
#include "pmd_glue/nic/packet_socket.h"
#include "pmd_glue/packet/virtio_header.h"

namespace sluice::pmd::packet {
namespace {

// UDP segmentation exists since Linux 6.2; headers of older systems lack it.
constexpr unsigned udp_segments_4 = 0x20;
constexpr unsigned udp_segments_6 = 0x40;
constexpr unsigned checksums_and_tcp = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;

// Column of /proc/net/dev, counted after the name, with the number of frames that the kernel
// dropped before this process read them.
constexpr int dropped_column = 11;

std::optional<uint64_t> dropped_by(const std::string& name) {
    std::ifstream table("/proc/thread-self/net/dev");
    for (std::string line; std::getline(table, line);) {
        const std::size_t colon = line.find(':');
        if (colon == line.npos) continue;
        const std::size_t start = line.find_first_not_of(' ');
        if (line.compare(start, colon - start, name) != 0) continue;
        std::istringstream numbers(line.substr(colon + 1));
        uint64_t number = 0;
        for (int column = 0; column <= dropped_column; ++column) numbers >> number;
        if (numbers) return number;
    }
    return std::nullopt;
}

}  // namespace

tl::expected<std::unique_ptr<Tap>, std::string> Tap::open(const std::string& name) {
    std::unique_ptr<Tap> tap(new Tap);
    if (auto fault = tap->set_up(name)) return tl::unexpected(std::move(*fault));
    return tap;
}

std::optional<std::string> Tap::set_up(const std::string& name) {
    descriptor_ = FileDescriptor(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
    if (!descriptor_.is_open()) return nic::refused("/dev/net/tun");
    ifreq request{};
    name.copy(request.ifr_name, sizeof request.ifr_name - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    if (::ioctl(descriptor_.number(), TUNSETIFF, &request) != 0) {
        return nic::refused("a TAP interface of that name");
    }
    name_ = name;
    const auto offers = [&](unsigned offloads) {
        return ::ioctl(descriptor_.number(), TUNSETOFFLOAD, offloads) == 0;
    };
    takes_udp_segments_ = offers(checksums_and_tcp | udp_segments_4 | udp_segments_6);
    // If the kernel does not accept checksums and TCP segments either, the host completes its
    // frames itself.
    if (!takes_udp_segments_) (void)offers(checksums_and_tcp);
    if (const auto error = set_interface_up(name, true)) return error->text();
    return std::nullopt;
}

std::optional<Arrival> Tap::look() {
    if (octets_ == 0) {
        VirtioHeader left{};
        const std::array<iovec, 2> parts{iovec{&left, sizeof left},
                                         iovec{frame_.data(), frame_.size()}};
        const ssize_t got = ::readv(descriptor_.number(), parts.data(), parts.size());
        const auto before = static_cast<ssize_t>(sizeof left);
        if (got <= before) return std::nullopt;
        octets_ = static_cast<std::size_t>(got - before);
        left_ = unfinished_of(left);
    }
    Arrival arrival;
    arrival.octets = std::span(frame_).first(octets_);
    arrival.length = octets_;
    arrival.left = left_;
    return arrival;
}

int Tap::send(std::span<const mmsghdr> messages) const {
    int sent = 0;
    for (const mmsghdr& message : messages) {
        const msghdr& about = message.msg_hdr;
        const auto parts = static_cast<int>(about.msg_iovlen);
        if (::writev(descriptor_.number(), about.msg_iov, parts) < 0) break;
        ++sent;
    }
    return sent > 0 ? sent : -1;
}

bool Tap::exists() const {
    ifreq request{};
    return ::ioctl(descriptor_.number(), TUNGETIFF, &request) == 0;
}

// The kernel reports the TAP as writable while it is set up (tun_chr_poll).
bool Tap::is_up() const {
    pollfd asked{.fd = descriptor_.number(), .events = POLLOUT};
    return ::poll(&asked, 1, 0) == 1 && (asked.revents & POLLOUT) != 0 && has_carrier_;
}

bool Tap::set_carrier(bool on) {
    int carrier = on ? 1 : 0;
    if (::ioctl(descriptor_.number(), TUNSETCARRIER, &carrier) != 0) return false;
    has_carrier_ = on;
    return true;
}

uint64_t Tap::missed() {
    missed_ = std::max(missed_, dropped_by(name_).value_or(0));
    return missed_;
}

}  // namespace sluice::pmd::packet
