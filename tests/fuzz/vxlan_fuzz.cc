// Whatever comes to the end of a tunnel by VXLAN (tunnel_promises.h).
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/fuzz/tunnel_promises.h"

namespace {

using namespace sluice;

constexpr Ipv4Address local{0xC633'6402};
constexpr Ipv4Address remote{0xC000'0201};
constexpr uint32_t vni = 0x123456;

// The second end has it for one of its VTEPs, in each of these networks.
test::TunnelEnds of_many(const Bundle& bundle, uint32_t leads_to) {
    return {.own = {.mac = {0x0200'0000'00FE}, .ipv4 = local},
            .there = VxlanTunnel{{}, leads_to},
            .other = {.mac = {0x0200'0000'0001}, .ipv4 = remote},
            .here = VxlanTunnel{local, vni},
            .bundle = &bundle};
}

const Bundle& bundle_of(std::span<const VlanVni> networks) {
    auto* const made = new Bundle(networks, 16, true, 1);  // for good
    keep_remotes(*made, std::array{remote});
    return *made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::TunnelEnds ends{.own = {.mac = {0x0200'0000'00FE}, .ipv4 = local},
                                .there = VxlanTunnel{remote, vni},
                                .other = {.mac = {0x0200'0000'0001}, .ipv4 = remote},
                                .here = VxlanTunnel{local, vni}};
    test::keeps_tunnel_promises(ends, {data, size});
    static const Bundle& one = bundle_of(std::array{VlanVni{.vni = vni}});
    static const Bundle& by_vlan =
        bundle_of(std::array{VlanVni{10, vni + 1}, VlanVni{20, vni}, VlanVni{30, 1}});
    test::keeps_tunnel_promises(of_many(one, vni), {data, size});
    test::keeps_tunnel_promises(of_many(by_vlan, 0), {data, size});
    return 0;
}
