// Whatever comes to the end of a tunnel by VXLAN (tunnel_promises.h).
#include <cstddef>
#include <cstdint>
#include <memory>

#include "tests/fuzz/tunnel_promises.h"

namespace {

using namespace sluice;

constexpr Ipv4Address local{0xC633'6402};
constexpr Ipv4Address remote{0xC000'0201};
constexpr uint32_t vni = 0x123456;

// The second end has it for one of its VTEPs.
test::TunnelEnds of_many() {
    static const auto vteps = [] {
        auto made = std::make_unique<Vteps>(16, true, 1);
        made->add(remote);
        return made;
    }();
    return {.own = {.mac = {0x0200'0000'00FE}, .ipv4 = local},
            .there = VxlanTunnel{{}, vni},
            .other = {.mac = {0x0200'0000'0001}, .ipv4 = remote},
            .here = VxlanTunnel{local, vni},
            .vteps = vteps.get()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::TunnelEnds ends{.own = {.mac = {0x0200'0000'00FE}, .ipv4 = local},
                                .there = VxlanTunnel{remote, vni},
                                .other = {.mac = {0x0200'0000'0001}, .ipv4 = remote},
                                .here = VxlanTunnel{local, vni}};
    test::keeps_tunnel_promises(ends, {data, size});
    test::keeps_tunnel_promises(of_many(), {data, size});
    return 0;
}
