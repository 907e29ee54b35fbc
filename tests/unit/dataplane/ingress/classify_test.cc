#include "dataplane/ingress/classify.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice {
namespace {

constexpr auto none = PrioritySource::none;
constexpr auto pcp = PrioritySource::pcp;
constexpr auto dscp = PrioritySource::dscp;

// PCP 3 becomes 3 and DSCP 46 becomes 5; a frame with neither gets 1.
Classifier classifier(PrioritySource first, PrioritySource second) {
    ClassifySettings settings;
    settings.order = {first, second};
    settings.dscp_to_priority[46] = 5;
    settings.default_priority = 1;
    return Classifier(settings, presets[0]);
}

Headers headers(bool tagged, bool ip) {
    Headers headers;
    headers.tagged = tagged;
    headers.pcp = tagged ? 3 : 0;
    headers.network_offset = ip ? 14 : 0;
    headers.dscp = ip ? 46 : 0;
    return headers;
}

TEST(Classifier, TheFirstSourceThatTheFrameHasDecides) {
    struct Case {
        PrioritySource first;
        PrioritySource second;
        int tagged_ip;
        int tagged;
        int ip;
        int neither;
    };
    for (const Case& c : {Case{pcp, dscp, 3, 3, 5, 1}, Case{dscp, pcp, 5, 3, 5, 1},
                          Case{pcp, none, 3, 3, 1, 1}, Case{dscp, none, 5, 1, 5, 1},
                          Case{none, none, 1, 1, 1, 1}, Case{none, dscp, 5, 1, 5, 1}}) {
        const Classifier classify = classifier(c.first, c.second);
        EXPECT_EQ(classify(headers(true, true), {}), c.tagged_ip);
        EXPECT_EQ(classify(headers(true, false), {}), c.tagged);
        EXPECT_EQ(classify(headers(false, true), {}), c.ip);
        EXPECT_EQ(classify(headers(false, false), {}), c.neither);
    }
}

TEST(Classifier, APriorityTagHasAPriority) {
    Headers tagged = headers(true, false);
    tagged.vlan = 0;
    EXPECT_EQ(classifier(pcp, dscp)(tagged, {}), 3);
}

TEST(Classifier, MapsEveryCodePointThroughItsTable) {
    ClassifySettings settings;
    for (unsigned point = 0; point < 64; ++point) {
        settings.dscp_to_priority[point] = static_cast<Priority>(point / 8);
    }
    for (unsigned point = 0; point < 8; ++point) {
        settings.pcp_to_priority[point] = static_cast<Priority>(7 - point);
    }
    const Classifier classify(settings, presets[0]);
    for (unsigned point = 0; point < 64; ++point) {
        Headers ip = headers(false, true);
        ip.dscp = static_cast<uint8_t>(point);
        EXPECT_EQ(classify(ip, {}), point / 8);
    }
    for (unsigned point = 0; point < 8; ++point) {
        Headers tagged = headers(true, true);
        tagged.pcp = static_cast<uint8_t>(point);
        EXPECT_EQ(classify(tagged, {}), 7 - point);
    }
}

// UDP to `port` behind IPv4 or IPv6, with DSCP 26.
test::Octets udp_to(uint16_t port, bool version_6 = false) {
    test::Octets octets = test::octets_of(test::FrameSpec{
        .ether_type = version_6 ? uint16_t{0x86DD} : uint16_t{0x0800}, .length = 80});
    const std::size_t udp = version_6 ? 54 : 34;
    if (version_6) {
        write_16(&octets[14], 0x6000 | 26 << 6);
        octets[20] = 17;
    } else {
        octets[14] = 0x45;
        octets[15] = 26 << 2;
        octets[23] = 17;
    }
    write_16(&octets[udp + 2], port);
    return octets;
}

TEST(Classifier, RoceIsUdpToItsPortAndKeepsItsDscp) {
    ClassifySettings settings;
    settings.order = {PrioritySource::roce};
    settings.dscp_to_priority[26] = 3;
    settings.default_priority = 1;
    const Classifier classify(settings, presets[0]);
    const auto priority_of = [&](const test::Octets& octets) {
        const test::Fenced frame(octets);
        Headers headers;
        EXPECT_EQ(parse(frame.octets(), headers), Drop::none);
        return classify(headers, frame.octets());
    };
    EXPECT_EQ(priority_of(udp_to(4791)), 3);
    EXPECT_EQ(priority_of(udp_to(4791, true)), 3);
    EXPECT_EQ(priority_of(udp_to(4790)), 1);
    EXPECT_EQ(priority_of(udp_to(53, true)), 1);
    EXPECT_EQ(priority_of(test::octets_of(test::FrameSpec{})), 1);

    test::Octets tcp = udp_to(4791);
    tcp[23] = 6;
    EXPECT_EQ(priority_of(tcp), 1);
    test::Octets fragment = udp_to(4791);
    write_16(&fragment[20], 0x2001);
    EXPECT_EQ(priority_of(fragment), 1);
    fragment[21] = 0;  // the first one has the ports
    EXPECT_EQ(priority_of(fragment), 3);
    test::Octets options = udp_to(4791);
    options[14] = 0x46;
    EXPECT_EQ(priority_of(options), 1);
    write_16(&options[40], 4791);
    EXPECT_EQ(priority_of(options), 3);
    for (std::size_t length = 34; length < 38; ++length) {  // the port is cut off
        test::Octets cut = udp_to(4791);
        cut.resize(length);
        EXPECT_EQ(priority_of(cut), 1);
    }
}

TEST(Classifier, ATrafficClassIsASourceWhereTheFormatHasOne) {
    ClassifySettings settings;
    settings.order = {PrioritySource::pcp, PrioritySource::traffic_class};
    for (unsigned value = 0; value < 256; ++value) {
        settings.tc_to_priority[value] = static_cast<Priority>(value >> 5);
    }
    settings.default_priority = 1;
    Headers of_class;
    for (unsigned value = 0; value < 256; ++value) {
        of_class.traffic_class = static_cast<uint8_t>(value);
        EXPECT_EQ(Classifier(settings, presets[2])(of_class, {}), value >> 5);
        EXPECT_EQ(Classifier(settings, presets[0])(of_class, {}), 1);
    }
    of_class.tagged = true;
    of_class.pcp = 6;
    EXPECT_EQ(Classifier(settings, presets[2])(of_class, {}), 6);
}

TEST(Classifier, KnowsByTagAndIpWhatTheWholeOrderSays) {
    constexpr std::array sources = {none,
                                    pcp,
                                    dscp,
                                    PrioritySource::traffic_class,
                                    PrioritySource::roce,
                                    PrioritySource::application};
    ClassifySettings settings;
    settings.dscp_to_priority[46] = 5;
    settings.tc_to_priority.fill(6);
    settings.default_priority = 1;
    // This application matches none of the frames.
    settings.applications[settings.application_count++] = {ApplicationSelector::tcp, 860, 7};
    const auto agree = [&](const Headers& of) {
        for (const uint16_t port : std::array<uint16_t, 2>{4790, 4791}) {  // the second is RoCEv2
            const test::Octets octets = udp_to(port);
            for (const std::size_t format : {0U, 2U}) {
                const Classifier classify(settings, presets[format]);
                EXPECT_EQ(classify(of, octets), classify.decide(of, octets).priority);
            }
        }
    };
    for (const PrioritySource first : sources) {
        for (const PrioritySource second : sources) {
            settings.order = {first, second, pcp};
            for (const bool tagged : {false, true}) {
                agree(headers(tagged, false));
                agree(headers(tagged, true));
            }
        }
    }
}

TEST(Classifier, AllFourSourcesMayBeTrusted) {
    ClassifySettings settings;
    settings.order = {PrioritySource::roce, PrioritySource::traffic_class, PrioritySource::dscp,
                      PrioritySource::pcp};
    settings.pcp_to_priority[3] = 5;
    settings.default_priority = 1;
    EXPECT_EQ(Classifier(settings, presets[0])(headers(true, false), {}), 5);
    EXPECT_EQ(Classifier(settings, presets[0])(headers(false, false), {}), 1);
}

// --- applications --------------------------------------------------------------------------------

// UDP or TCP between these ports, DSCP 46.
test::Octets between_ports(uint8_t protocol, uint16_t source, uint16_t destination) {
    test::Octets octets = udp_to(destination);
    octets[14 + 9] = protocol;
    write_16(&octets[34], source);
    return octets;
}

// Priorities: 7 for FCoE, 6 for UDP 4791, 5 for TCP 860, 4 for port 3260 of either, 3 for DSCP 46,
// 2 for all other frames; the tag goes first.
class Applications {
  public:
    Applications() {
        settings_.order = {PrioritySource::pcp, PrioritySource::application};
        using enum ApplicationSelector;
        add({ethertype, 0, 2});
        add({ethertype, 0x8906, 7});
        add({dscp, 46, 3});
        add({port, 3260, 4});
        add({tcp, 860, 5});
        add({udp, 4791, 6});
    }
    void add(const ApplicationPriority& application) {
        settings_.applications[settings_.application_count++] = application;
    }
    void forget() { settings_.application_count = 0; }
    [[nodiscard]] Priority operator()(const test::Octets& octets, std::size_t format = 0) const {
        Headers headers;
        EXPECT_EQ(parse(octets, headers), Drop::none);
        return Classifier(settings_, presets[format])(headers, octets);
    }

  private:
    ClassifySettings settings_;
};

TEST(Application, IsRecognisedByThePortAtEitherEnd) {
    const Applications of;
    EXPECT_EQ(of(between_ports(udp_protocol, 50000, 4791)), 6);
    EXPECT_EQ(of(between_ports(udp_protocol, 4791, 50000)), 6);
    EXPECT_EQ(of(between_ports(tcp_protocol, 50000, 860)), 5);
    EXPECT_EQ(of(between_ports(tcp_protocol, 3260, 50000)), 4);
    EXPECT_EQ(of(between_ports(udp_protocol, 50000, 3260)), 4);
    EXPECT_NE(of(between_ports(udp_protocol, 50000, 860)), 5);
    EXPECT_NE(of(between_ports(tcp_protocol, 50000, 4791)), 6);
}

TEST(Application, ThatIsCloserDecides) {
    const Applications of;
    test::Octets octets = between_ports(udp_protocol, 50000, 4791);
    octets[15] = 46 << 2;
    EXPECT_EQ(of(octets), 6);
    write_16(&octets[36], 9);
    EXPECT_EQ(of(octets), 3);
    octets[15] = 0;
    EXPECT_EQ(of(octets), 2);
}

TEST(Application, IsRecognisedByTheEtherTypeBehindTheTags) {
    Applications of;
    EXPECT_EQ(of(test::octets_of({.ether_type = 0x8906})), 7);
    EXPECT_EQ(of(test::octets_of({.ether_type = 0x88B5})), 2);
    EXPECT_EQ(of(test::octets_of({.tag = test::Tag{1, 3}, .ether_type = 0x8906})), 3) << "the PCP";
    EXPECT_EQ(of(test::octets_of({.ether_type = 0x8906}), 3), 0) << "a format that has none";
}

TEST(Application, AmongEqualsTheFirstCounts) {
    Applications of;
    of.add({ApplicationSelector::port, 4791, 1});
    EXPECT_EQ(of(between_ports(udp_protocol, 3260, 4791)), 4);
}

TEST(Application, WithoutATableIsNoSource) {
    Applications of;
    of.forget();
    EXPECT_EQ(of(between_ports(udp_protocol, 50000, 4791)), 0);
}

}  // namespace
}  // namespace sluice
