#include "config/port/formats.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Settings settings_of(const std::string& text) {
    const auto loaded = load_text(text, "x.yaml");
    EXPECT_TRUE(loaded.has_value()) << to_string(loaded.error().front());
    return loaded ? loaded->settings : Settings{};
}

TEST(Formats, APresetIsCalledByItsName) {
    const Settings settings = settings_of(
        "defaults: {format: afh_lite}\n"
        "ports:\n"
        "  - {device: ring:a}\n"
        "  - {device: ring:b, format: standard}\n"
        "  - {device: ring:c, format: afh_gen1}\n"
        "  - {device: ring:d, format: afh_gen2_16b}\n");
    EXPECT_EQ(settings.ports[0].format, presets[3]);
    EXPECT_EQ(settings.ports[1].format, presets[0]);
    EXPECT_EQ(settings.ports[2].format, presets[1]);
    EXPECT_EQ(settings.ports[3].format, presets[2]);
}

TEST(Formats, ADescribedOneTakesWhatItDoesNotWrite) {
    const Settings settings = settings_of(
        "formats:\n"
        "  - name: swapped\n"
        "    like: afh_gen2_16b\n"
        "    traffic_class: {offset: 0, mask: 0xfc}\n"
        "    key_word: {offset: 48}\n"
        "  - {name: bare, like: afh_gen2_16b, traffic_class: {width: 0}, header: 14, learns: "
        "false}\n"
        "ports: [{device: ring:a, format: swapped}, {device: ring:b, format: bare}]\n");
    FrameFormat swapped = presets[2];
    swapped.traffic_class = {0, 8, 0xFC};
    swapped.key_word = {48, 8};
    EXPECT_EQ(settings.ports[0].format.traffic_class, swapped.traffic_class);
    EXPECT_EQ(settings.ports[0].format.key_word.offset, 48);
    EXPECT_EQ(settings.ports[0].format.destination, swapped.destination);
    EXPECT_EQ(settings.ports[0].format.ecn, (Field{6, 2}));  // with its class
    EXPECT_FALSE(settings.ports[1].format.traffic_class.exists());
    EXPECT_FALSE(settings.ports[1].format.ecn.exists());
    EXPECT_EQ(settings.ports[1].format.header, Bytes(14));
    EXPECT_FALSE(settings.ports[1].format.learns);
}

TEST(Formats, AnyOfTheFamilyCanBeSaid) {
    const Settings settings = settings_of(
        "formats:\n"
        "  - name: ofh\n"
        "    like: ufh_16b\n"
        "    traffic_class: {mask: 0xfc}\n"
        "    ecn: {offset: 54, width: 2}\n"
        "    flow_label: {offset: 8, width: 8}\n"
        "    ttl: {offset: 16, width: 4}\n"
        "  - {name: bare, like: afh_gen2_32b, key_word: {width: 0}, ecn: {width: 0}}\n"
        "ports:\n"
        "  - {device: ring:a, format: ofh, ecn: {3: {low: 10KiB, high: 20KiB, probability: 1}}}\n"
        "  - {device: ring:b, format: bare}\n");
    const FrameFormat& ofh = settings.ports[0].format;
    EXPECT_EQ(ofh.traffic_class, (Field{48, 8, 0xFC}));
    EXPECT_EQ(ofh.ecn, (Field{54, 2}));
    EXPECT_EQ(ofh.flow_label, (Field{8, 8}));
    EXPECT_EQ(ofh.ttl, (Field{16, 4}));
    EXPECT_FALSE(settings.ports[1].format.key_word.exists());
    EXPECT_FALSE(settings.ports[1].format.ecn.exists());
}

TEST(Formats, WhatIsNoneIsReportedWithWhatWasMeant) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, format: afh_light}]\n"),
              Lines{"x.yaml:1:34: ports[0].format: there is no format \"afh_light\"; did you mean "
                    "afh_lite"});
    EXPECT_EQ(
        faults_of("formats: [{name: standard, like: afh_lite}]\n"
                  "ports: [{device: ring:a, format: banana}]\n"),
        (Lines{"x.yaml:1:18: formats[0].name: standard is a preset; give it a name of its own",
               "x.yaml:2:34: ports[0].format: there is no format \"banana\"; write one of "
               "standard, afh_gen1, afh_gen2_16b, afh_lite, afh_gen2_32b, ufh_16b, ufh_32b, or "
               "describe it under formats"}));
    EXPECT_EQ(
        faults_of("formats: [{name: x, like: afh_lite}, {name: x, like: standard}]\n" + one_port),
        Lines{"x.yaml:1:45: formats[1].name: x is taken by formats[0].name; give each format "
              "a name of its own"});
}

// Returns the faults of a format like GEN2 with `write`: paths and texts, without places.
Lines told_of(const std::string& write) {
    const Lines lines = faults_of("formats: [{name: x, " + write + "}]\n" + one_port);
    Lines faults;
    for (const std::string& line : lines) {
        faults.push_back(line.substr(line.find("formats[0].") + std::string("formats[0].").size()));
    }
    return faults;
}

TEST(Formats, AContradictionIsReportedWithItsReason) {
    EXPECT_EQ(told_of("like: afh_gen2_16b, source: {offset: 88}"),
              Lines{"source: bits 88 to 103 are outside of the 12 octets before the EtherType; end "
                    "it at bit 95 or before"});
    EXPECT_EQ(told_of("like: afh_lite, source: {offset: 88}"),
              Lines{"source: bits 88 to 103 are outside of the 12 octets of the header; end it at "
                    "bit 95 or before"});
    EXPECT_EQ(told_of("like: afh_gen2_16b, source: {offset: 24}"),
              Lines{"source: bits 24 to 39 overlap those of the destination, 32 to 47; write an "
                    "offset and a width beside them"});
    EXPECT_EQ(told_of("like: afh_gen2_16b, traffic_class: {offset: 32}"),
              Lines{"traffic_class: bits 32 to 39 are bits of the destination, which would change "
                    "with the class; write an offset beside it, or a narrower address"});
    EXPECT_EQ(told_of("like: afh_gen1, learns: true"),
              Lines{"learns: 0xffffffffff bits of the source are learned and 0xffffffffffff of the "
                    "destination looked up; write false, or the same width and mask for both"});
    EXPECT_EQ(
        told_of("like: afh_gen2_16b, destination: {width: 49}"),
        Lines{"destination.width: \"49\" is out of range; write a whole number from 0 to 48"});
    EXPECT_EQ(
        told_of("like: afh_gen2_16b, destination: {offset: 24, width: 24}, learns: false"),
        Lines{"destination: 24 bits are more than an id of afh_16 has; write a width of 16 or "
              "less"});
    EXPECT_EQ(
        told_of("like: afh_lite, key_word: {offset: 8}"),
        Lines{"ether_type: is missing, and octet 0 may be payload, so that frames could be taken "
              "for MAC control; have the traffic class, the key word or the destination there"});
    EXPECT_EQ(
        told_of("like: afh_lite, ip: true"),
        Lines{"ip: needs an EtherType, and the format has none; write false, or ether_type: true"});
    EXPECT_EQ(told_of("like: afh_gen2_16b, key_word: {mask: 0x7e}"),
              Lines{"key_word: has neither its first bit (ids of 16 bits) nor its last (a group); "
                    "write a width of 8, and a mask with one of them if any; 0 for no key word"});
    EXPECT_EQ(told_of("like: ufh_16b, ecn: {offset: 55, width: 2}"),
              Lines{"ecn: bits 55 to 56 are not two bits of one octet; write a width of 2 within "
                    "an octet, and no mask"});
    EXPECT_EQ(told_of("like: ufh_16b, ecn: {offset: 34, width: 2}"),
              Lines{"ecn: bits 34 to 35 are bits of a field that a mark must not change; write an "
                    "offset in the traffic class, or in no other field"});
    EXPECT_EQ(told_of("like: ufh_16b, ttl: {offset: 8, width: 9}"),
              Lines{"ttl: bits 8 to 16 are not 2 to 8 bits that all count; write a width of 2 to "
                    "8, and no mask"});
    EXPECT_EQ(told_of("like: ufh_16b, ttl: {offset: 52, width: 4}"),
              Lines{"ttl: bits 52 to 55 are bits of another field; write an offset beside it: "
                    "each switch lowers it"});
    EXPECT_EQ(told_of("like: ufh_16b, flow_label: {offset: 90, width: 8}"),
              Lines{"flow_label: bits 90 to 97 are outside of the 12 octets before the EtherType; "
                    "end it at bit 95 or before"});
    EXPECT_EQ(told_of("like: afh_gen2_16b, header: 13"),
              Lines{"header: of 13B ends before the EtherType; write 14 to 64"});
    EXPECT_EQ(told_of("like: afh_gen2_16b, destination: {mask: ff}"),
              Lines{"destination.mask: \"ff\" is not a mask; write a mask from 0x1 to "
                    "0xffffffffffff"});
}

TEST(Formats, StationsAreFixedByIdWhereFormatsHaveIds) {
    const std::string ports =
        "ports: [{device: ring:a, format: afh_lite}, {device: ring:b}]\n"
        "fdb:\n"
        "  static:\n";
    const Settings settings = settings_of(ports + "    - {id: 0, port: p0}\n");
    ASSERT_EQ(settings.fdb.static_entries.size(), 1U);
    EXPECT_EQ(settings.fdb.static_entries[0].address.bits, 0U);
    const Settings of_32 = settings_of(
        "ports: [{device: ring:a, format: afh_gen2_32b}]\n"
        "fdb: {static: [{id: 4294967295, port: p0}]}\n");
    EXPECT_EQ(of_32.fdb.static_entries[0].address.bits, 0xFFFFFFFFU);
    EXPECT_EQ(
        faults_of(ports + "    - {port: p0}\n"
                          "    - {address: 02:00:00:00:00:01, port: p0}\n"
                          "    - {id: 7, port: p1}\n"
                          "    - {id: 7, port: p0}\n"
                          "    - {id: 7, port: p0}\n"
                          "    - {id: 65536, port: p0}\n"),
        (Lines{
            "x.yaml:4:7: fdb.static[0].id: is missing; write a whole number from 0 to 65535",
            "x.yaml:5:17: fdb.static[1].address: stations of afh_lite have ids of 16 bits; "
            "write id in its place",
            "x.yaml:6:12: fdb.static[2].id: stations of ethernet have addresses of 48 bits; "
            "write address in its place",
            "x.yaml:8:12: fdb.static[4].id: VLAN 1 has it already at fdb.static[3].id; keep one: "
            "an address belongs to one port",
            "x.yaml:9:12: fdb.static[5].id: is too long; write a whole number from 0 to 65535"}));
}

}  // namespace
}  // namespace sluice::config
