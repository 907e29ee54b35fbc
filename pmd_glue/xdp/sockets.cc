#include "pmd_glue/xdp/sockets.h"

#include <dlfcn.h>
#include <linux/if_xdp.h>
#include <sys/socket.h>
#include <xdp/xsk.h>
#include <cerrno>

namespace sluice::pmd::xdp {
namespace {

struct Made {
    std::string interface;
    Socket socket;
};
std::vector<Made>& made() {
    static std::vector<Made> made;
    return made;
}

// Returns libxdp's own function. The driver loads libxdp; our programs are not linked with it.
template <typename Function>
Function* libxdps(const char* name) {
    void* const library = ::dlopen("libxdp.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return nullptr;
    auto* const function = reinterpret_cast<Function*>(::dlsym(library, name));
    ::dlclose(library);
    return function;
}

template <typename Value>
Value option(const Socket& socket, int level, int name) {
    Value value{};
    socklen_t size = sizeof value;
    if (::getsockopt(socket.descriptor, level, name, &value, &size) != 0) return {};
    return value;
}

}  // namespace

std::vector<Socket> take_sockets(const std::string& interface) {
    std::vector<Socket> taken;
    std::erase_if(made(), [&](const Made& one) {
        if (one.interface != interface) return false;
        taken.push_back(one.socket);
        return true;
    });
    return taken;
}

SocketStatistics statistics_of(const std::vector<Socket>& sockets) {
    SocketStatistics sum;
    for (const Socket& socket : sockets) {
        const auto of = option<xdp_statistics>(socket, SOL_XDP, XDP_STATISTICS);
        sum.rx_dropped += of.rx_dropped;
        sum.rx_invalid_descs += of.rx_invalid_descs;
        sum.tx_invalid_descs += of.tx_invalid_descs;
        sum.rx_ring_full += of.rx_ring_full;
        sum.rx_fill_ring_empty_descs += of.rx_fill_ring_empty_descs;
        sum.tx_ring_empty_descs += of.tx_ring_empty_descs;
    }
    return sum;
}

bool is_zero_copy(const Socket& socket) {
    return (option<xdp_options>(socket, SOL_XDP, XDP_OPTIONS).flags & XDP_OPTIONS_ZEROCOPY) != 0;
}

bool prefers_busy_poll(const Socket& socket) {
    return option<int>(socket, SOL_SOCKET, SO_PREFER_BUSY_POLL) != 0;
}

}  // namespace sluice::pmd::xdp

extern "C" {
#pragma GCC visibility push(default)

int xsk_socket__create(xsk_socket** socket, const char* interface, __u32 queue, xsk_umem* umem,
                       xsk_ring_cons* receive, xsk_ring_prod* transmit,
                       const xsk_socket_config* wanted) {
    using namespace sluice::pmd::xdp;
    static auto* const create = libxdps<decltype(xsk_socket__create)>("xsk_socket__create");
    static auto* const descriptor_of = libxdps<decltype(xsk_socket__fd)>("xsk_socket__fd");
    if (create == nullptr || descriptor_of == nullptr || wanted == nullptr) return -ENOSYS;
    xsk_socket_config config = *wanted;
    config.libxdp_flags |= XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD;
    const int result = create(socket, interface, queue, umem, receive, transmit, &config);
    if (result == 0) made().push_back({interface, {queue, descriptor_of(*socket)}});
    return result;
}

#pragma GCC visibility pop
}
