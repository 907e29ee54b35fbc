#include "dataplane/tunnel/vxlan.h"

#include <gtest/gtest.h>

#include "tests/support/encapsulated.h"

namespace sluice {
namespace {

using test::hex;
using test::Octets;

constexpr UnderlayAddresses here{.mac = {0x0200'0000'0001}, .ipv4 = {0xC000'0201}};
constexpr VxlanTunnel tunnel{.remote = {0xC633'6402}, .vni = 0x123456};

// As scapy 2.5 builds it:
// Ether(dst='02:00:00:00:00:fe',src='02:00:00:00:00:01')/IP(src='192.0.2.1',dst='198.51.100.2',
// flags='DF',id=0,tos=(3*8)<<2|1)/UDP(sport=...,dport=4789,chksum=0)/VXLAN(vni=0x123456,
// flags='Instance')/...
TEST(Vxlan, IsWrittenAsOthersBuildIt) {
    const Octets made = test::encapsulated(Encapsulator(tunnel, here, {}, 1));
    Octets golden =
        hex("0200000000fe 020000000001 0800"
            "45 61 0056 0000 4000 40 11 4dff c0000201 c6336402"
            "c000 12b5 0042 0000"
            "08 000000 123456 00"
            "02000000000b 02000000000a 0800"
            "45 01 0024 0001 0000 40 11 66c5 0a000001 0a000002"
            "0001 0002 0010 5a33 6162636465666768");
    write_16(&golden[34], read_16(&made[34]));
    EXPECT_EQ(made, golden);
}

// RFC 1071: of any length and priority.
TEST(Vxlan, HasARightChecksum) {
    const VxlanHeader header(tunnel, here);
    for (std::size_t carried = 14; carried < 9000; carried += 997) {
        Octets octets(header.octets(), header.octets() + VxlanHeader::size());
        header.patch(octets.data(), {.carried = carried, .tos = static_cast<uint8_t>(carried)});
        uint32_t sum = 0;
        for (std::size_t at = 14; at < 34; at += 2) sum += read_16(&octets[at]);
        while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
        EXPECT_EQ(sum, 0xFFFFU) << carried;
    }
}

}  // namespace
}  // namespace sluice
