#include "dataplane/forward/direct_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "dataplane/forward/fdb.h"

namespace sluice {
namespace {

using namespace literals;

constexpr Nanos epoch = Nanos(int64_t{1} << Fdb::epoch_shift);
constexpr MacAddress group_of(uint64_t id) { return {uint64_t{1} << 40 | id}; }

// An FDB with a page for VLAN 1 of both families with 16-bit ids, read and written by id.
class Ids {
  public:
    bool learn(FormatFamily family, VlanId vlan, uint64_t id, PortIndex port, uint32_t at = 0) {
        return fdb.learn(probe(family, vlan, {id}), port, at);
    }
    [[nodiscard]] std::optional<int> port(FormatFamily family, VlanId vlan, MacAddress id) const {
        const auto found = fdb.find_either(probe(family, vlan, id));
        return found ? std::optional<int>(found.port()) : std::nullopt;
    }
    [[nodiscard]] Fdb::Probe probe(FormatFamily family, VlanId vlan, MacAddress id) const {
        return fdb.probe_either(Fdb::key_of(family, vlan, id));
    }
    void age(uint32_t at, Nanos ageing) {
        const std::size_t steps = fdb.bucket_count() + 2 * DirectTable::ids / 4;
        for (std::size_t call = 0; call <= steps / 16; ++call) fdb.age(epoch * at, ageing);
    }
    [[nodiscard]] std::vector<FdbEntry> entries() const {
        std::vector<FdbEntry> found;
        fdb.for_each([&](const FdbEntry& entry) { found.push_back(entry); });
        return found;
    }

    static constexpr std::array<DirectTable::Page, 2> pages = {
        {{FormatFamily::afh_16, 1}, {FormatFamily::afh_lite, 1}}};
    Fdb fdb{64, 1, pages};
};

TEST(DirectTable, HasAPlaceForEveryIdOfItsPages) {
    Ids ids;
    for (uint64_t id = 0; id < DirectTable::ids; ++id) {
        ASSERT_TRUE(ids.learn(FormatFamily::afh_16, 1, id, static_cast<PortIndex>(id % 64)));
    }
    for (uint64_t id = 0; id < DirectTable::ids; ++id) {
        ASSERT_EQ(ids.port(FormatFamily::afh_16, 1, {id}), static_cast<int>(id % 64));
    }
    EXPECT_EQ(ids.fdb.size(), DirectTable::ids);
    EXPECT_EQ(ids.fdb.full(), 0U);
    EXPECT_EQ(ids.port(FormatFamily::afh_lite, 1, {7}), std::nullopt);
}

TEST(DirectTable, KeepsFamiliesVlansAndGroupsApart) {
    Ids ids;
    ids.learn(FormatFamily::afh_16, 1, 7, 2);
    ids.learn(FormatFamily::afh_lite, 1, 7, 3);
    ids.learn(FormatFamily::afh_16, 5, 7, 4);  // no page: in the hashed part
    ids.learn(FormatFamily::ethernet, 1, 7, 5);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {7}), 2);
    EXPECT_EQ(ids.port(FormatFamily::afh_lite, 1, {7}), 3);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 5, {7}), 4);
    EXPECT_EQ(ids.port(FormatFamily::ethernet, 1, {7}), 5);
    EXPECT_EQ(ids.port(FormatFamily::afh_48, 1, {7}), std::nullopt);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, group_of(7)), std::nullopt);
    EXPECT_EQ(ids.entries().size(), 4U);
    EXPECT_EQ(ids.fdb.size(), 4U);
}

TEST(DirectTable, ShowsWhatItHolds) {
    Ids ids;
    ids.fdb.add_static(Fdb::key_of(FormatFamily::afh_lite, 1, {65535}), 9);
    ASSERT_EQ(ids.entries().size(), 1U);
    const FdbEntry entry = ids.entries()[0];
    EXPECT_EQ(entry.family, FormatFamily::afh_lite);
    EXPECT_EQ(entry.vlan, 1);
    EXPECT_EQ(entry.address.bits, 65535U);
    EXPECT_EQ(entry.port, 9);
    EXPECT_EQ(entry.kind, EntryKind::fixed);
}

TEST(DirectTable, AStaticIdStaysWhereItIs) {
    Ids ids;
    ids.fdb.add_static(Fdb::key_of(FormatFamily::afh_16, 1, {7}), 2);
    EXPECT_FALSE(ids.learn(FormatFamily::afh_16, 1, 7, 3));
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {7}), 2);
    ids.fdb.forget_static();
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {7}), std::nullopt);
    EXPECT_TRUE(ids.learn(FormatFamily::afh_16, 1, 7, 3));
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {7}), 3);
}

TEST(DirectTable, ForgetsWithItsPortAndByAge) {
    Ids ids;
    ids.learn(FormatFamily::afh_16, 1, 1, 2, 10);
    ids.learn(FormatFamily::afh_16, 1, 2, 3, 10);
    ids.learn(FormatFamily::afh_16, 1, 65535, 3, 20);
    ids.fdb.forget_port(2);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {1}), std::nullopt);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {2}), 3);
    ids.age(21, epoch * 5);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {2}), std::nullopt);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {65535}), 3);
    EXPECT_EQ(ids.fdb.size(), 1U);
    ids.age(1000, Nanos(0));
    EXPECT_EQ(ids.fdb.size(), 1U);
}

TEST(DirectTable, ForgetsWithItsVlan) {
    Ids ids;
    ids.learn(FormatFamily::afh_16, 1, 1, 2);
    ids.learn(FormatFamily::afh_16, 5, 1, 2);
    ids.fdb.add_static(Fdb::key_of(FormatFamily::afh_16, 1, {7}), 3);
    ids.fdb.forget_vlan(1);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {1}), std::nullopt);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {7}), 3);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 5, {1}), 2);
    EXPECT_EQ(ids.entries().size(), 2U);
    EXPECT_TRUE(ids.learn(FormatFamily::afh_16, 1, 1, 4));
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {1}), 4);
}

// Port 0, epoch 0 and a generation of 0: such a word is nevertheless an entry.
TEST(DirectTable, TheFirstEntryOfTheFirstPortIsOne) {
    Ids ids;
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {0}), std::nullopt);
    ids.learn(FormatFamily::afh_16, 1, 0, 0, 0);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {0}), 0);
    EXPECT_EQ(ids.fdb.size(), 1U);
}

TEST(DirectTable, AMoveIsCounted) {
    Ids ids;
    ids.learn(FormatFamily::afh_16, 1, 7, 2);
    ids.learn(FormatFamily::afh_16, 1, 7, 3);
    EXPECT_EQ(ids.fdb.moves(), 1U);
    EXPECT_EQ(ids.port(FormatFamily::afh_16, 1, {7}), 3);
}

// The writer moves an id to and fro; a reader always finds it at one of the two ports.
TEST(DirectTable, AReaderSeesAnEntryWhole) {
    Ids ids;
    ids.learn(FormatFamily::afh_16, 1, 7, 2);
    std::atomic<bool> over{false};
    std::thread reader([&] {
        while (!over) {
            const auto port = ids.port(FormatFamily::afh_16, 1, {7});
            if (port != 2 && port != 3) ADD_FAILURE() << "neither here nor there";
        }
    });
    for (uint32_t n = 0; n < 100'000; ++n) {
        ids.learn(FormatFamily::afh_16, 1, 7, static_cast<PortIndex>(2 + n % 2), n);
    }
    over = true;
    reader.join();
}

}  // namespace
}  // namespace sluice
