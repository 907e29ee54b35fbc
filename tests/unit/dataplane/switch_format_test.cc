// Ports of other formats in the whole switch: which frames they take, to whom those go, and that
// families stay apart.
#include <gtest/gtest.h>

#include <string>

#include "dataplane/pfc/pause_frame.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::hex;
using test::Octets;
using test::octets_of;
using test::Rig;
using test::settings_of;
using test::ShortIdSpec;
using test::station;

const FrameFormat& gen1 = presets[1];
const FrameFormat& gen2 = presets[2];
const FrameFormat& lite = presets[3];
const FrameFormat& gen2_of_32 = presets[4];

Settings with_formats(std::initializer_list<FrameFormat> formats) {
    Settings settings = settings_of(formats.size());
    settings.fdb.static_entries.clear();
    std::size_t port = 0;
    for (const FrameFormat& format : formats) settings.ports[port++].format = format;
    return settings;
}

class Ride {
  public:
    explicit Ride(const Settings& settings) : rig(settings) {}

    // Returns the ports that sent the frame, as digits.
    std::string carry(PortIndex input, const Octets& octets) {
        rig.receive(input, {octets}, "x");
        rig.run();
        std::string got;
        for (PortIndex port = 0; port < rig.dataplane.port_count(); ++port) {
            if (!rig.sent_now(port).empty()) got += static_cast<char>('0' + port);
        }
        return got;
    }
    std::string send(PortIndex input, const ShortIdSpec& spec) {
        return carry(input, octets_of(spec));
    }

    Rig rig;
};

TEST(SwitchFormat, IdsOf16BitsAreLearned) {
    for (const FrameFormat& format : {gen2, lite}) {
        Ride ride(with_formats({format, format, format}));
        EXPECT_EQ(ride.send(0, {.to = 2, .from = 1}), "12");
        EXPECT_EQ(ride.send(1, {.to = 1, .from = 2}), "0");
        EXPECT_EQ(ride.send(0, {.to = 2, .from = 1}), "1");
        EXPECT_TRUE(ride.rig.at_rest());
    }
}

// Ids that fit into 16 bits as well: in other families these have a table of their own.
TEST(SwitchFormat, IdsOf32BitsAreLearned) {
    Ride ride(with_formats({gen2_of_32, gen2_of_32, gen2_of_32, gen2}));
    const auto frame = [](uint32_t to, uint32_t from, uint8_t key_word = 0) {
        Octets octets(60);
        octets[0] = key_word;
        write_32(&octets[2], to);
        write_32(&octets[8], from);
        return octets;
    };
    EXPECT_EQ(ride.carry(0, frame(0xBBCC0007, 7)), "12");
    EXPECT_EQ(ride.carry(1, frame(7, 0xBBCC0007)), "0");
    EXPECT_EQ(ride.carry(0, frame(0xBBCC0007, 7)), "1");
    EXPECT_EQ(ride.carry(0, frame(0x00000007, 8)), "") << "7 is at its own port";
    EXPECT_EQ(ride.carry(2, frame(0xAACC0007, 9)), "01") << "another station";
    EXPECT_EQ(ride.carry(2, frame(0xBBCC0007, 9, 0x01)), "01") << "a group";
    EXPECT_EQ(ride.carry(2, frame(0xBBCC0007, 9, 0x80)), "");
    EXPECT_EQ(ride.rig.drops(2, Drop::afh_gen2_16b), 1U);
    EXPECT_TRUE(ride.rig.at_rest());
}

TEST(SwitchFormat, ANewTrafficClassMovesNobody) {
    Ride ride(with_formats({lite, lite, lite}));
    ride.send(1, {.to = 1, .from = 2});
    EXPECT_EQ(ride.send(0, {.to = 2, .from = 1, .traffic_class = 0xFC}), "1");
    EXPECT_EQ(ride.send(2, {.to = 2, .from = 3, .traffic_class = 0x10}), "1");
    EXPECT_EQ(ride.rig.dataplane.fdb().moves(), 0U);
}

TEST(SwitchFormat, AGroupIsFloodedThoughAStationHasItsId) {
    Ride ride(with_formats({lite, lite, lite}));
    ride.send(1, {.to = 1, .from = 2});
    EXPECT_EQ(ride.send(0, {.to = 2, .from = 1, .key_word = 0x80}), "1");
    EXPECT_EQ(ride.send(0, {.to = 2, .from = 1, .key_word = 0x81}), "12");
}

TEST(SwitchFormat, TheFirstAfhIsNotLearnedFrom) {
    Settings settings = with_formats({gen1, gen1, gen1});
    settings.fdb.static_entries = {{.vlan = 1, .address = station(1), .port = 1}};
    Ride ride(settings);
    const auto frame = [](MacAddress to, MacAddress from) {
        return octets_of(test::FrameSpec{.to = to, .from = from});
    };
    EXPECT_EQ(ride.carry(0, frame(station(1), station(0))), "1");
    EXPECT_EQ(ride.carry(1, frame(station(0), station(1))), "02");
    EXPECT_EQ(ride.carry(1, frame(station(0), station(1))), "02");
    EXPECT_EQ(ride.rig.dataplane.fdb().size(), 1U);
}

TEST(SwitchFormat, StaticIdsAreOfTheFamilyOfTheirPort) {
    Settings settings = with_formats({lite, lite, lite});
    settings.fdb.static_entries = {{.vlan = 1, .address = {2}, .port = 1}};
    Ride ride(settings);
    EXPECT_EQ(ride.send(0, {.to = 2, .from = 1}), "1");
    EXPECT_EQ(ride.send(2, {.to = 1, .from = 2}), "");
    EXPECT_EQ(ride.rig.drops(2, Drop::static_source), 1U);
}

TEST(SwitchFormat, FamiliesAreNotBridgedToEachOther) {
    Ride ride(with_formats({lite, gen2, presets[0], gen1, lite, gen2, presets[0], gen1}));
    EXPECT_EQ(ride.send(0, {.to = 2, .from = 1}), "4");
    EXPECT_EQ(ride.send(1, {.to = 2, .from = 1}), "5");
    EXPECT_EQ(ride.carry(2, octets_of(test::FrameSpec{.to = broadcast})), "6");
    EXPECT_EQ(ride.carry(3, octets_of(test::FrameSpec{.to = broadcast})), "7");
    EXPECT_TRUE(ride.rig.at_rest());
}

// Id 1 of one family is behind port 0; id 1 of the other family is unknown.
TEST(SwitchFormat, TheSameIdInTwoFamiliesIsTwoStations) {
    Ride ride(with_formats({lite, lite, gen2, gen2, gen2}));
    ride.send(0, {.to = 9, .from = 1});
    ride.send(2, {.to = 9, .from = 1});
    EXPECT_EQ(ride.send(1, {.to = 1, .from = 2}), "0");
    EXPECT_EQ(ride.send(3, {.to = 1, .from = 2}), "2");
}

TEST(SwitchFormat, AlonePortsOfAFamilySendNowhere) {
    Ride ride(with_formats({lite, gen2}));
    EXPECT_EQ(ride.send(0, {.to = 2, .from = 1}), "");
    EXPECT_EQ(ride.rig.drops(0, Drop::no_output), 1U);
    EXPECT_TRUE(ride.rig.at_rest());
}

TEST(SwitchFormat, EachDropHasItsName) {
    Ride ride(with_formats({gen2, lite, gen2, lite}));
    ride.send(0, {.key_word = 0x00});
    ride.send(1, {.key_word = 0x7F});
    EXPECT_EQ(ride.rig.drops(0, Drop::afh_gen2_32b), 1U);
    EXPECT_EQ(ride.rig.drops(1, Drop::afh_gen2_32b), 1U);
    ride.send(0, {.length = 21});
    EXPECT_EQ(ride.rig.drops(0, Drop::runt), 1U);
    EXPECT_EQ(ride.send(1, {.length = 12}), "3");
    ride.send(0, {.length = 1523});
    EXPECT_EQ(ride.rig.drops(0, Drop::oversize), 1U);
    EXPECT_TRUE(ride.rig.at_rest());
}

TEST(SwitchFormat, PauseFramesAndLldpAreReceivedInAnyFormat) {
    PauseFrame pause;
    pause.enabled = 0b0000'0001;
    pause.time[0] = 1000;
    std::array<uint8_t, pause_frame_octets> xoff{};
    write_pause_frame(xoff, station(1), pause);
    for (const FrameFormat& format : {gen1, gen2, lite}) {
        Settings settings = with_formats({format, format});
        settings.ports[1].pfc.lossless = 1;
        Ride ride(settings);
        ride.carry(1, Octets(xoff.begin(), xoff.end()));
        EXPECT_EQ(ride.rig.drops(1, Drop::mac_control), 1U);
        EXPECT_EQ(ride.rig.dataplane.egress(1).gate().xoffs_received(0), 1U);
        ride.carry(0, hex("0180c200000e 020000000100 88cc 0000"));
        EXPECT_EQ(ride.rig.drops(0, Drop::lldp), 1U);
    }
}

// Its first octet is a traffic class; the next four are payload and the top of an id.
TEST(SwitchFormat, WhatOnlyLooksLikeAReservedAddressIsAFrameOfIts16Bits) {
    FrameFormat class_first = lite;
    std::swap(class_first.traffic_class, class_first.key_word);
    Ride ride(with_formats({class_first, class_first}));
    EXPECT_EQ(ride.carry(0, hex("0180c2000001 80ddeeff0003 cafe")), "1");
    EXPECT_EQ(ride.rig.drops(0, Drop::reserved_address), 0U);
    Ride wide(with_formats({gen1, gen1}));
    wide.carry(0, octets_of(test::FrameSpec{.to = {0x0180C2000003}}));
    EXPECT_EQ(wide.rig.drops(0, Drop::reserved_address), 1U);
}

TEST(SwitchFormat, IdsSeenByAnotherWorkerAreLearnedByWorker0) {
    Settings settings = with_formats({lite, lite, lite, lite});
    settings.workers = 2;
    for (PortIndex port = 0; port < 4; ++port) {
        settings.ports[port].worker = static_cast<WorkerIndex>(port % 2);
    }
    Ride ride(settings);
    EXPECT_EQ(ride.send(1, {.to = 9, .from = 5}), "023");
    ride.rig.housekeep();
    EXPECT_EQ(ride.send(0, {.to = 5, .from = 4}), "1");
}

TEST(SwitchFormat, AVlanOfItsOwnHasIdsOfItsOwn) {
    Settings settings = with_formats({gen2, gen2, gen2});
    settings.ports[2].default_vlan = 2;
    Ride ride(settings);
    Octets tagged = octets_of(ShortIdSpec{.to = 1, .from = 7});
    write_16(&tagged[12], 0x8100);
    write_16(&tagged[14], 3);
    EXPECT_EQ(ride.carry(0, tagged), "12");
    EXPECT_EQ(ride.send(1, {.to = 7, .from = 8}), "02");  // VLAN 1 does not know id 7
    Octets answer = tagged;
    write_16(&answer[4], 7);
    write_16(&answer[10], 1);
    EXPECT_EQ(ride.carry(1, answer), "0");
}

// Port 0 is an access port of VLAN 10, 1 a trunk and 2 a provider's port. A group of either format
// is flooded.
TEST(SwitchFormat, ATagStandsBeforeTheEtherTypeOfAnyFormatThatHasOne) {
    const std::string before = "810000000002 000000000001 ";
    const std::string after = "88b5 0102030405060708";
    for (const FrameFormat& format : {gen1, gen2}) {
        Settings settings = with_formats({format, format, format});
        settings.vlan.filtering = true;
        settings.vlan.members[10] = 0b111;
        settings.vlan.untagged[10] = 0b001;
        settings.ports[0].default_vlan = 10;
        settings.ports[1].tagging.accept = FrameTypes::tagged;
        settings.ports[2].tagging.type = TagType::service;
        for (PortSettings& port : settings.ports) port.tagging.aware = true;
        Rig rig(settings);
        const auto sent = [&](PortIndex port) {
            const auto left = rig.departures(port);
            EXPECT_EQ(left.size(), 1U);
            const Octets octets = left.empty() ? Octets{} : left.back().octets();
            rig.sent_now(port);
            return octets;
        };
        rig.receive(0, {hex(before + after)});
        rig.run();
        EXPECT_EQ(sent(1), hex(before + "8100 000a" + after));
        EXPECT_EQ(sent(2), hex(before + "88a8 000a" + after));
        rig.receive(1, {hex(before + "8100 000a" + after)});
        rig.run();
        EXPECT_EQ(sent(0), hex(before + after));
        EXPECT_EQ(sent(2), hex(before + "88a8 000a" + after));
        rig.receive(1, {hex(before + after)});
        EXPECT_EQ(rig.drops(1, Drop::tag_required), 1U);
        EXPECT_TRUE(rig.at_rest());
    }
}

}  // namespace
}  // namespace sluice
