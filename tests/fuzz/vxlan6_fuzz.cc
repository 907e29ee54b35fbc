// Whatever comes to the end of a tunnel by VXLAN over IPv6 (tunnel_promises.h).
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/tunnel_promises.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace sluice;
    constexpr uint32_t vni = 0x123456;
    const Ipv6Address local = test::ipv6_of(2, 2);
    const Ipv6Address remote = test::ipv6_of(1, 1);
    const test::TunnelEnds ends{.own = {.mac = {0x0200'0000'00FE}, .ipv6 = local},
                                .there = Vxlan6Tunnel{remote, vni},
                                .other = {.mac = {0x0200'0000'0001}, .ipv6 = remote},
                                .here = Vxlan6Tunnel{local, vni}};
    test::keeps_tunnel_promises(ends, {data, size});
    return 0;
}
