// Whatever comes to the end of a tunnel by MPLS (tunnel_promises.h).
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/tunnel_promises.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace sluice;
    const test::TunnelEnds ends{
        .own = {.mac = {0x0200'0000'00FE}},
        .there = MplsTunnel{.local_label = 100},
        .other = {.mac = {0x0200'0000'0001}},
        .here = MplsTunnel{.labels = {100}, .count = 1, .entropy_label = true}};
    test::keeps_tunnel_promises(ends, {data, size});
    return 0;
}
