// Fuzz target: arbitrary packets at the receiving end of an SRv6 tunnel (tunnel_promises.h).
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/tunnel_promises.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace sluice;
    const Ipv6Address sid = test::ipv6_of(2, 0xD2);
    const test::TunnelEnds ends{
        .own = {.mac = {0x0200'0000'00FE}, .ipv6 = test::ipv6_of(1, 0xFE)},
        .there = Srv6Tunnel{.local_sid = sid},
        .other = {.mac = {0x0200'0000'0001}, .ipv6 = test::ipv6_of(1, 1)},
        .here = Srv6Tunnel{.segments = {sid}, .count = 1, .reduced = false}};
    test::keeps_tunnel_promises(ends, {data, size});
    return 0;
}
