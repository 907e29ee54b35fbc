#include "pmd_glue/own_address.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <optional>
#include <set>

#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

constexpr uint64_t here = 1;
constexpr uint64_t elsewhere = 2;

MacAddress address_of(const std::string& device, uint64_t identity, Pool& pool,
                      std::optional<MacAddress> written = std::nullopt) {
    PortRequest request;
    request.name = "named alike";
    request.device = *parse_device(device);
    request.address = written;
    request.identity = identity;
    request.rx_descriptors = request.tx_descriptors = 128;
    const auto port = Port::open(request, pool);
    if (port) return (*port)->address();
    ADD_FAILURE() << port.error().text();
    return {};
}

TEST(OwnAddress, is_of_one_station_and_locally_administered) {
    for (uint64_t identity = 0; identity < 1000; ++identity) {
        EXPECT_EQ(own_address(identity, "null:", "p0").bits >> 40, 0x02U);
    }
}

TEST(OwnAddress, differs_by_machine_and_by_device) {
    std::set<MacAddress> all;
    for (uint64_t identity = 0; identity < 100; ++identity) {
        for (const char* const device : {"", "memif:a", "memif:b", "vxlan:wan/192.0.2.2/100"}) {
            for (const char* const port : {"p0", "p1"}) {
                all.insert(own_address(identity, device, port));
            }
        }
    }
    EXPECT_EQ(all.size(), 800U);
}

// DPDK's drivers draw an address, or have the same one everywhere.
TEST(OwnAddress, what_brings_none_has_its_own_and_keeps_it) {
    const auto pool = make_pool();
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    for (const std::string& device : {std::string("ring:own"), std::string("null:"),
                                      "pcap:," + (folder / "sluice-own-address.pcap").string(),
                                      "memif:" + (folder / "sluice-own-address.sock").string()}) {
        SCOPED_TRACE(device);
        const MacAddress first = address_of(device, here, *pool);
        EXPECT_EQ(first, own_address(here, device, "named alike"));
        EXPECT_EQ(first, address_of(device, here, *pool));
        EXPECT_NE(first, address_of(device, elsewhere, *pool));
        EXPECT_EQ(address_of(device, here, *pool, MacAddress{0x020000000001}).bits,
                  0x020000000001U);
    }
    std::filesystem::remove(folder / "sluice-own-address.pcap");
}

}  // namespace
}  // namespace sluice::pmd
