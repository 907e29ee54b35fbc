#include "dataplane/forward/fdb.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using namespace literals;
using test::station;

constexpr Nanos epoch = Nanos(int64_t{1} << Fdb::epoch_shift);

// An FDB read and written by VLAN and address; times are in epochs.
class Table {
  public:
    explicit Table(uint32_t capacity = 1024, uint64_t seed = 1) : fdb(capacity, seed) {}

    bool learn(VlanId vlan, MacAddress address, PortIndex port, uint32_t at = 0) {
        return fdb.learn(fdb.probe(Fdb::key_of(vlan, address)), port, at);
    }
    bool fix(VlanId vlan, MacAddress address, PortIndex port) {
        return fdb.add_static(Fdb::key_of(vlan, address), port);
    }
    [[nodiscard]] std::optional<int> port(VlanId vlan, MacAddress address) const {
        const auto found = fdb.find(fdb.probe(Fdb::key_of(vlan, address)));
        return found ? std::optional<int>(found.port()) : std::nullopt;
    }
    // Ages the whole table: as many calls as one round takes.
    void age(uint32_t at, Nanos ageing) {
        for (std::size_t call = 0; call <= fdb.bucket_count() / 16; ++call) {
            fdb.age(epoch * at, ageing);
        }
    }
    void forget_learned() {
        for (PortIndex port = 0; port < max_ports; ++port) fdb.forget_port(port);
    }
    [[nodiscard]] std::size_t visible() const {
        std::size_t entries = 0;
        fdb.for_each([&](const FdbEntry&) { ++entries; });
        return entries;
    }

    Fdb fdb;
};

TEST(Fdb, KnowsNobodyAtFirst) {
    const Table table;
    EXPECT_EQ(table.port(1, station(0)), std::nullopt);
    EXPECT_EQ(table.fdb.size(), 0U);
    EXPECT_EQ(table.visible(), 0U);
}

TEST(Fdb, LearnsWhereAnAddressIs) {
    Table table;
    EXPECT_TRUE(table.learn(1, station(0), 5));
    EXPECT_TRUE(table.learn(1, station(1), 0));
    EXPECT_EQ(table.port(1, station(0)), 5);
    EXPECT_EQ(table.port(1, station(1)), 0);
    EXPECT_EQ(table.fdb.size(), 2U);
}

TEST(Fdb, VlansDoNotSeeEachOther) {
    Table table;
    table.learn(1, station(0), 5);
    table.learn(4094, station(0), 6);
    EXPECT_EQ(table.port(1, station(0)), 5);
    EXPECT_EQ(table.port(4094, station(0)), 6);
    EXPECT_EQ(table.port(2, station(0)), std::nullopt);
}

TEST(Fdb, AnAddressMayMove) {
    Table table;
    table.learn(1, station(0), 5);
    table.learn(1, station(0), 63);
    EXPECT_EQ(table.port(1, station(0)), 63);
    EXPECT_EQ(table.fdb.size(), 1U);
    EXPECT_EQ(table.fdb.moves(), 1U);
    table.learn(1, station(0), 63, 9);
    EXPECT_EQ(table.fdb.moves(), 1U);
}

TEST(Fdb, AStaticEntryIsNotMovedByAFrame) {
    Table table;
    EXPECT_TRUE(table.fix(1, station(0), 5));
    EXPECT_FALSE(table.learn(1, station(0), 6));
    EXPECT_TRUE(table.learn(1, station(0), 5));  // where it belongs
    EXPECT_EQ(table.port(1, station(0)), 5);
    table.forget_learned();
    EXPECT_EQ(table.port(1, station(0)), 5);
    table.age(100'000, 1_s);
    EXPECT_EQ(table.port(1, station(0)), 5);
}

TEST(Fdb, AStaticEntryReplacesALearnedOne) {
    Table table;
    table.learn(1, station(0), 6);
    EXPECT_TRUE(table.fix(1, station(0), 5));
    EXPECT_EQ(table.port(1, station(0)), 5);
    EXPECT_FALSE(table.learn(1, station(0), 6));
    EXPECT_EQ(table.fdb.size(), 1U);
}

TEST(Fdb, TellsWhatItHolds) {
    Table table;
    table.learn(7, station(1), 3, 42);
    table.fix(8, station(2), 4);
    std::map<VlanId, FdbEntry> entries;
    table.fdb.for_each([&](const FdbEntry& entry) { entries.emplace(entry.vlan, entry); });
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries.at(7).address, station(1));
    EXPECT_EQ(entries.at(7).port, 3);
    EXPECT_EQ(entries.at(7).kind, EntryKind::learned);
    EXPECT_EQ(entries.at(7).epoch, 42U);
    EXPECT_EQ(entries.at(8).address, station(2));
    EXPECT_EQ(entries.at(8).kind, EntryKind::fixed);
}

// --- ageing --------------------------------------------------------------------------------------

TEST(Fdb, ForgetsAStationAfterTheAgeingTime) {
    Table table;
    const Nanos ageing = epoch * 10;
    table.learn(1, station(0), 5, 100);
    table.learn(1, station(1), 5, 105);
    table.age(109, ageing);
    EXPECT_EQ(table.port(1, station(0)), 5);
    table.age(110, ageing);
    EXPECT_EQ(table.port(1, station(0)), std::nullopt);
    EXPECT_EQ(table.port(1, station(1)), 5);
    table.age(115, ageing);
    EXPECT_EQ(table.port(1, station(1)), std::nullopt);
    EXPECT_EQ(table.fdb.size(), 0U);
}

TEST(Fdb, AStationThatSendsAgainStays) {
    Table table;
    for (uint32_t at = 100; at < 200; at += 5) {
        table.learn(1, station(0), 5, at);
        table.age(at + 4, epoch * 10);
        ASSERT_EQ(table.port(1, station(0)), 5) << at;
    }
}

TEST(Fdb, AnAgeingOfZeroIsNever) {
    Table table;
    table.learn(1, station(0), 5, 1);
    table.age(4'000'000, 0_s);
    EXPECT_EQ(table.port(1, station(0)), 5);
}

// Another worker's clock may be a little ahead: an address that it learned in the next epoch is
// new, not old.
TEST(Fdb, AStationSeenAheadOfTheClockStays) {
    Table table;
    table.learn(1, station(0), 5, 101);
    table.age(100, 300_s);
    EXPECT_EQ(table.port(1, station(0)), 5);
    EXPECT_LE(Fdb::age_of(101, epoch * 100), 0_s);
}

TEST(Fdb, AgesAFewBucketsACallAndOneRoundAnEpoch) {
    Table table(16384);
    for (unsigned host = 0; host < 10'000; ++host) table.learn(1, station(host), 1, 0);
    table.fdb.age(epoch * 1000, epoch);
    const uint64_t after_one_call = table.fdb.size();
    EXPECT_GT(after_one_call, 9'000U);
    table.age(1000, epoch);
    EXPECT_EQ(table.fdb.size(), 0U);
}

// --- forgetting ----------------------------------------------------------------------------------

TEST(Fdb, ForgettingAPortForgetsItsEntriesOnly) {
    Table table;
    for (unsigned host = 0; host < 100; ++host) {
        table.learn(1, station(host), static_cast<PortIndex>(host % 4));
    }
    table.fdb.forget_port(2);
    for (unsigned host = 0; host < 100; ++host) {
        const auto expected = host % 4 == 2 ? std::nullopt : std::optional<int>(host % 4);
        EXPECT_EQ(table.port(1, station(host)), expected);
    }
    EXPECT_EQ(table.visible(), 75U);
}

TEST(Fdb, AForgottenAddressIsLearnedAnew) {
    Table table;
    table.learn(1, station(0), 2);
    table.fdb.forget_port(2);
    EXPECT_TRUE(table.learn(1, station(0), 2));
    EXPECT_EQ(table.port(1, station(0)), 2);
    table.fdb.forget_port(2);
    EXPECT_TRUE(table.learn(1, station(0), 3));
    EXPECT_EQ(table.port(1, station(0)), 3);
    EXPECT_EQ(table.fdb.size(), 1U);
}

TEST(Fdb, ForgettingAVlanForgetsItsLearnedEntriesOnly) {
    Table table;
    for (unsigned host = 0; host < 100; ++host) {
        table.learn(static_cast<VlanId>(1 + host % 4), station(host), 5);
    }
    table.fix(3, station(200), 6);
    table.fdb.forget_vlan(3);
    for (unsigned host = 0; host < 100; ++host) {
        const auto expected = host % 4 == 2 ? std::nullopt : std::optional<int>(5);
        EXPECT_EQ(table.port(static_cast<VlanId>(1 + host % 4), station(host)), expected);
    }
    EXPECT_EQ(table.port(3, station(200)), 6);
    EXPECT_EQ(table.visible(), 76U);
}

// A generation of the port more and one of the VLAN more, in whatever order.
TEST(Fdb, WhatWasForgottenByVlanAndPortIsLearnedAnew) {
    Table table;
    for (int turn = 0; turn < 4; ++turn) {
        EXPECT_TRUE(table.learn(7, station(0), 2));
        EXPECT_EQ(table.port(7, station(0)), 2);
        table.fdb.forget_vlan(7);
        EXPECT_EQ(table.port(7, station(0)), std::nullopt);
        table.fdb.forget_port(2);
        EXPECT_EQ(table.port(7, station(0)), std::nullopt);
    }
    EXPECT_LE(table.fdb.size(), 1U);
}

TEST(Fdb, AStaticEntryOutlivesItsVlanAndItsPortBeingForgotten) {
    Table table;
    table.fdb.forget_vlan(7);
    table.fix(7, station(0), 2);
    table.fdb.forget_vlan(7);
    table.fdb.forget_port(2);
    EXPECT_EQ(table.port(7, station(0)), 2);
    table.fdb.forget_static();
    EXPECT_EQ(table.port(7, station(0)), std::nullopt);
    table.fix(7, station(0), 3);
    EXPECT_EQ(table.port(7, station(0)), 3);
}

// Within the same epoch, since a full table has to have its places back at once.
TEST(Fdb, WhatWasForgottenIsSweptOutAtOnce) {
    Table table;
    table.age(100, 300_s);
    for (unsigned host = 0; host < 500; ++host) table.learn(1, station(host), 5, 100);
    for (unsigned host = 0; host < 500; ++host) table.learn(2, station(host), 6, 100);
    table.fdb.forget_vlan(1);
    EXPECT_EQ(table.fdb.size(), 1000U);
    table.age(100, 300_s);
    EXPECT_EQ(table.fdb.size(), 500U);
    table.fdb.forget_port(6);
    table.age(100, 300_s);
    EXPECT_EQ(table.fdb.size(), 0U);
}

TEST(Fdb, WhatIsForgottenAmidARoundIsNotFoundAgain) {
    constexpr unsigned stations = 500;
    Table table;
    for (unsigned n = 0; n < stations; ++n) ASSERT_TRUE(table.learn(1, station(n), 2));
    table.fdb.forget_port(7);
    const std::size_t round = table.fdb.bucket_count() / 16;
    for (std::size_t call = 0; call < round / 2; ++call) table.fdb.age(epoch, 0_ns);
    table.fdb.forget_port(2);
    for (std::size_t call = 0; call < 3 * round; ++call) {
        for (unsigned n = 0; n < stations; ++n) ASSERT_EQ(table.port(1, station(n)), std::nullopt);
        table.fdb.age(epoch, 0_ns);
    }
    EXPECT_EQ(table.fdb.size(), 0U);
}

TEST(Fdb, ForgettingEveryPortForgetsAllThatWasLearned) {
    Table table;
    for (unsigned host = 0; host < 64; ++host) {
        table.learn(1, station(host), static_cast<PortIndex>(host));
    }
    table.fix(1, station(100), 7);
    table.forget_learned();
    EXPECT_EQ(table.visible(), 1U);
    EXPECT_EQ(table.port(1, station(100)), 7);
}

// After 65536 link losses a generation returns; no flushed entry may become valid again.
TEST(Fdb, GenerationsMayWrap) {
    Table table;
    table.learn(1, station(0), 2, 100);
    for (int loss = 0; loss < 3 * 65536; ++loss) {
        table.fdb.forget_port(2);
        if (loss % 1000 == 0) {
            table.age(100 + static_cast<uint32_t>(loss) / 1000, 300_s);  // ageing sweeps meanwhile
            ASSERT_EQ(table.port(1, station(0)), std::nullopt) << loss;
            ASSERT_TRUE(table.learn(1, station(1), 2)) << loss;
            ASSERT_EQ(table.port(1, station(1)), 2) << loss;
        }
    }
}

// Half of it by the port, half by the VLAN; the clock stands still.
TEST(Fdb, ASumOfGenerationsMayWrap) {
    Table table;
    table.age(100, 300_s);
    table.learn(1, station(0), 2, 100);
    for (int turn = 0; turn < 3 * 32768; ++turn) {
        table.fdb.forget_port(2);
        table.fdb.forget_vlan(1);
        if (turn % 1000 == 0) {
            table.age(100, 300_s);
            ASSERT_EQ(table.port(1, station(0)), std::nullopt) << turn;
            ASSERT_TRUE(table.learn(1, station(1), 2, 100)) << turn;
            ASSERT_EQ(table.port(1, station(1)), 2) << turn;
        }
    }
}

// --- full ----------------------------------------------------------------------------------------

TEST(Fdb, HoldsAllItSaysItDoes) {
    for (const uint64_t seed : {0ULL, 1ULL, 0xDEADBEEFULL}) {
        Table table(4096, seed);
        for (unsigned host = 0; host < 4096; ++host) {
            ASSERT_TRUE(table.learn(1, station(host), static_cast<PortIndex>(host % 64))) << host;
        }
        for (unsigned host = 0; host < 4096; ++host) {
            ASSERT_EQ(table.port(1, station(host)), host % 64);
        }
        EXPECT_EQ(table.fdb.size(), 4096U);
        EXPECT_EQ(table.fdb.full(), 0U);
    }
}

// Small tables leave a key the fewest ways out.
TEST(Fdb, HoldsAllItSaysItDoesWhateverTheSeed) {
    for (uint64_t seed = 0; seed < 10000; ++seed) {
        Table table(64, seed);
        for (unsigned host = 0; host < 64; ++host) {
            ASSERT_TRUE(table.learn(1, station(host), 1)) << host << ", seed " << seed;
        }
    }
}

TEST(Fdb, WhenFullItKeepsWhatItHas) {
    Table table(64);
    for (unsigned host = 0; host < 64; ++host) ASSERT_TRUE(table.learn(1, station(host), 1));
    for (unsigned host = 64; host < 1000; ++host) ASSERT_FALSE(table.learn(1, station(host), 2));
    EXPECT_EQ(table.fdb.size(), 64U);
    EXPECT_EQ(table.fdb.full(), 936U);
    for (unsigned host = 0; host < 64; ++host) EXPECT_EQ(table.port(1, station(host)), 1);
    EXPECT_TRUE(table.learn(1, station(3), 2));  // a move needs no place
}

// Addresses come and go on a nearly full table, next to a plain map.
TEST(Fdb, AgreesWithAPlainMap) {
    Table table(512);
    std::map<unsigned, int> expected;
    const auto vlan_of = [](unsigned host) { return static_cast<VlanId>(1 + host % 5); };
    std::minstd_rand random(7);
    for (int step = 0; step < 50'000; ++step) {
        const auto host = static_cast<unsigned>(random() % 480);
        const auto port = static_cast<PortIndex>(random() % 8);
        if (random() % 500 == 0) {
            table.fdb.forget_port(port);
            std::erase_if(expected, [&](const auto& entry) { return entry.second == port; });
        } else if (random() % 500 == 0) {
            table.fdb.forget_vlan(vlan_of(host));
            std::erase_if(expected,
                          [&](const auto& entry) { return vlan_of(entry.first) == vlan_of(host); });
        } else {
            ASSERT_TRUE(table.learn(vlan_of(host), station(host), port)) << step;
            expected[host] = port;
        }
        const auto asked = static_cast<unsigned>(random() % 480);
        const auto known = expected.find(asked);
        ASSERT_EQ(table.port(vlan_of(asked), station(asked)),
                  known == expected.end() ? std::nullopt : std::optional(known->second));
    }
    EXPECT_EQ(table.visible(), expected.size());
}

// --- readers beside the writer -------------------------------------------------------------------

// Every address is only ever on one of two ports of its own. A reader beside the writer may see
// either, or nothing; never a port of another address.
TEST(Fdb, AReaderSeesAnEntryWholeOrNotAtAll) {
    Table table(64, 3);
    constexpr unsigned hosts = 200;  // far more than it holds: slots change hands all the time
    const auto port_of = [](unsigned host) { return static_cast<PortIndex>(2 * (host % 32)); };
    std::atomic<bool> stop{false};
    std::atomic<uint64_t> wrong{0};
    std::atomic<uint64_t> found{0};
    std::thread reader([&] {
        std::minstd_rand random(1);
        while (!stop.load(std::memory_order_relaxed)) {
            const auto host = static_cast<unsigned>(random() % hosts);
            const auto port = table.port(1, station(host));
            if (!port) continue;
            found.fetch_add(1, std::memory_order_relaxed);
            if ((*port & ~1) != port_of(host)) wrong.fetch_add(1, std::memory_order_relaxed);
        }
    });
    std::minstd_rand random(2);
    uint32_t at = 0;
    for (int step = 0; step < 1'000'000; ++step) {
        const auto host = static_cast<unsigned>(random() % hosts);
        table.learn(1, station(host), static_cast<PortIndex>(port_of(host) + random() % 2), at);
        if (step % 64 == 0) table.fdb.forget_port(static_cast<PortIndex>(random() % 64));
        if (step % 256 == 0) table.fdb.forget_vlan(1);
        if (step % 16 == 0) table.fdb.age(epoch * ++at, epoch * 3);
    }
    while (found.load() == 0) table.learn(1, station(0), 0, at);
    stop = true;
    reader.join();
    EXPECT_EQ(wrong.load(), 0U);
}

// A station that fills the table from outside cannot keep an operator's entry out.
TEST(FdbFull, AStaticEntryTakesThePlaceOfALearnedOne) {
    Table table(64);
    for (unsigned host = 0; host < 1000; ++host) table.learn(1, station(host), 1);
    ASSERT_EQ(table.fdb.size(), 64U);
    for (unsigned host = 2000; host < 2016; ++host) {
        ASSERT_TRUE(table.fix(1, station(host), 2));
        EXPECT_EQ(table.port(1, station(host)), 2);
    }
}

// Places freed by a flush are usable at once, not only after ageing has passed over them.
TEST(FdbFull, AFlushedTableLearnsAtOnce) {
    Table table(64);
    for (unsigned host = 0; host < 64; ++host) table.learn(1, station(host), 1);
    table.forget_learned();
    unsigned learned = 0;
    for (unsigned host = 100; host < 132; ++host) learned += table.learn(1, station(host), 3);
    EXPECT_GT(learned, 16U);
}

}  // namespace
}  // namespace sluice
