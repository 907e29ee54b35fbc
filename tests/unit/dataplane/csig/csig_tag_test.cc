// CSIG tags, octet by octet: both forms, where they are found, and why others are left alone.
#include "dataplane/csig/csig_tag.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/csig.h"

namespace sluice {
namespace {

using test::csig_settings;
using test::csig_tag;
using test::frame_of;
using test::Octets;
using test::with_tag;

CsigTags tags(bool d_bit = true) {
    CsigSettings settings = csig_settings();
    settings.compact.d_bit = d_bit;
    return CsigTags(settings);
}

CsigFault fault_of(const Octets& frame) {
    const CsigPlace place = tags().find(frame);
    EXPECT_TRUE(place.fault == CsigFault::none || place.form == CsigForm::none);
    return place.fault;
}

Octets behind(std::initializer_list<Octets> parts, std::size_t payload = 40) {
    Octets frame(12, 0x02);
    for (const Octets& part : parts) frame.insert(frame.end(), part.begin(), part.end());
    frame.resize(frame.size() + payload, 0x45);
    return frame;
}
const Octets ipv4{0x08, 0x00};
const Octets compact = csig_tag(CsigForm::compact, CsigType::relative, 9);
const Octets wide = csig_tag(CsigForm::wide, CsigType::delay, 9);

// A vector of fboss/agent, with the values that its decoder reads.
TEST(CsigTag, ReadsTheVectorOfFboss) {
    const Octets vector{0x99, 0x00, 0x2B, 0x85};
    const CsigSignal signal = tags(false).read(vector.data(), CsigForm::compact);
    EXPECT_EQ(signal.type, 1);
    EXPECT_EQ(signal.value, 0x17U);
    EXPECT_EQ(signal.locator, 5);
    EXPECT_FALSE(signal.trimmed);
}

// SAI, CSIG, figure 1-2: the last bit of the same octets is D.
TEST(CsigTag, ReadsTheCompactTagAsSaiDrawsIt) {
    const Octets octets{0x99, 0x00, 0x2B, 0x85};
    const CsigSignal signal = tags().read(octets.data(), CsigForm::compact);
    EXPECT_EQ(signal.value, 0x17U);
    EXPECT_EQ(signal.locator, 2);
    EXPECT_TRUE(signal.trimmed);
}

// Figure 1-3: locator 0x1234, D, type 2, signal 0xABCDE, reserved 0x77.
TEST(CsigTag, ReadsTheWideTagAsSaiDrawsIt) {
    const Octets octets{0x99, 0x01, 0x24, 0x69, 0x2A, 0xBC, 0xDE, 0x77};
    const CsigSignal signal = tags().read(octets.data(), CsigForm::wide);
    EXPECT_EQ(signal.type, 2);
    EXPECT_EQ(signal.value, 0xABCDEU);
    EXPECT_EQ(signal.locator, 0x1234);
    EXPECT_TRUE(signal.trimmed);
}

TEST(CsigTag, WritesSignalAndLocatorAndNothingElse) {
    Octets octets{0x99, 0x00, 0x3B, 0x85};  // its reserved bit is set
    tags().write(octets.data(), CsigForm::compact, 0x1F, 0x3F);
    EXPECT_EQ(octets, (Octets{0x99, 0x00, 0x3F, 0xFF})) << "D stays";
    tags().write(octets.data(), CsigForm::compact, 0, 0);
    EXPECT_EQ(octets, (Octets{0x99, 0x00, 0x30, 0x01}));
    tags(false).write(octets.data(), CsigForm::compact, 1, 0x7E);
    EXPECT_EQ(octets, (Octets{0x99, 0x00, 0x30, 0xFE}));

    Octets eight{0x99, 0x01, 0x24, 0x68, 0x2A, 0xBC, 0xDE, 0x77};
    tags().write(eight.data(), CsigForm::wide, 0x12345, 0x7FFF);
    EXPECT_EQ(eight, (Octets{0x99, 0x01, 0xFF, 0xFE, 0x21, 0x23, 0x45, 0x77}));
}

TEST(CsigTag, IsFoundBehindVlanTagsAndBeforeIp) {
    for (const int vlans : {0, 1, 2}) {
        for (const bool is_ipv6 : {false, true}) {
            for (const CsigForm form : {CsigForm::compact, CsigForm::wide}) {
                const Octets plain = frame_of({.is_ipv6 = is_ipv6, .tags = vlans});
                EXPECT_EQ(tags().find(plain).form, CsigForm::none);
                const auto at = 12 + static_cast<std::size_t>(vlans) * 4;
                const CsigPlace place =
                    tags().find(with_tag(plain, csig_tag(form, CsigType::depth, 1), at));
                EXPECT_EQ(place.form, form);
                EXPECT_EQ(place.offset, at);
                EXPECT_EQ(place.network, at + octets_of(form) + 2);
                EXPECT_EQ(place.ether_type, is_ipv6 ? 0x86DD : 0x0800);
                EXPECT_EQ(place.fault, CsigFault::none);
            }
        }
    }
}

TEST(CsigTag, IsNotLookedForWhereItsTpidIsNotSet) {
    CsigSettings settings = csig_settings();
    settings.wide.tpid = 0;
    EXPECT_EQ(CsigTags(settings).find(behind({wide, ipv4})).form, CsigForm::none);
    EXPECT_EQ(CsigTags(settings).find(behind({compact, ipv4})).form, CsigForm::compact);
    EXPECT_EQ(CsigTags().find(behind({{0, 0, 0, 0}, ipv4})).form, CsigForm::none);
}

TEST(CsigTag, IsLeftAloneInTheWrongPlace) {
    const Octets vlan{0x81, 0x00, 0x00, 0x05};
    const Octets macsec{0x88, 0xE5, 0x00, 0x00, 0, 0, 0, 1};
    const Octets macsec_of_channel{0x88, 0xE5, 0x20, 0x00, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 0, 1};
    const Octets encrypted{0x88, 0xE5, 0x0C, 0x00, 0, 0, 0, 1};
    EXPECT_EQ(fault_of(behind({compact, vlan, ipv4})), CsigFault::order);
    EXPECT_EQ(fault_of(behind({wide, vlan, ipv4})), CsigFault::order);
    EXPECT_EQ(fault_of(behind({compact, compact, ipv4})), CsigFault::order);
    EXPECT_EQ(fault_of(behind({wide, compact, ipv4})), CsigFault::order);
    EXPECT_EQ(fault_of(behind({macsec, compact, ipv4})), CsigFault::macsec);
    EXPECT_EQ(fault_of(behind({vlan, macsec_of_channel, wide, ipv4})), CsigFault::macsec);
    EXPECT_EQ(fault_of(behind({compact, macsec, ipv4})), CsigFault::macsec);
    EXPECT_EQ(fault_of(behind({encrypted, compact, ipv4})), CsigFault::none) << "nobody can tell";
    EXPECT_EQ(fault_of(behind({compact, {0x08, 0x06}})), CsigFault::not_ip);
    EXPECT_EQ(fault_of(behind({compact, ipv4}, 19)), CsigFault::truncated);
    EXPECT_EQ(fault_of(behind({compact}, 0)), CsigFault::truncated);
    EXPECT_EQ(fault_of(behind({wide, {0x86, 0xDD}}, 39)), CsigFault::truncated);
    EXPECT_EQ(fault_of(behind({{0x99, 0x01, 0}}, 0)), CsigFault::truncated);
}

TEST(CsigTag, StripsWhatItFound) {
    for (const CsigForm form : {CsigForm::compact, CsigForm::wide}) {
        const Octets plain = frame_of({.tags = 1, .payload = 100});
        Octets frame = with_tag(plain, csig_tag(form, CsigType::delay, 1), 16);
        frame.resize(strip_csig(frame, tags().find(frame)));
        EXPECT_EQ(frame, plain);
    }
}

TEST(CsigTag, LeavesAFrameAsLongAsADeviceMaySend) {
    Octets frame = with_tag(frame_of({.is_tcp = false, .payload = 16}), compact);
    ASSERT_EQ(frame.size(), 62U);
    const Octets before = frame;
    EXPECT_EQ(strip_csig(frame, tags().find(frame)), 60);
    EXPECT_TRUE(std::equal(before.begin() + 16, before.end(), frame.begin() + 12));
    EXPECT_EQ((Octets(frame.begin() + 58, frame.begin() + 60)), (Octets{0, 0})) << "padded";
}

TEST(CsigTag, SaysThatAFrameWasTrimmedWhereItHasTheBit) {
    const Octets plain = frame_of({.tags = 1});
    const auto marked = [&](const Octets& tag, bool d_bit) {
        Octets frame = with_tag(plain, tag, 16);
        const Octets before = frame;
        tags(d_bit).mark_trimmed(frame);
        std::size_t changed = 0;
        for (std::size_t n = 0; n < frame.size(); ++n)
            changed += std::size_t{frame[n] != before[n]};
        EXPECT_LE(changed, 1U);
        return changed == 1 && frame[19] == (before[19] | 1);
    };
    EXPECT_TRUE(marked(compact, true));
    EXPECT_FALSE(marked(compact, false));
    EXPECT_TRUE(marked(wide, false));
}

TEST(CsigTag, QuantisesBySteps) {
    const CsigBands bands{.base = 100, .step = 10};
    const auto signal = [&](int64_t value) { return signal_of(value, bands, CsigForm::compact); };
    EXPECT_EQ(signal(0), 0U);
    EXPECT_EQ(signal(109), 0U);
    EXPECT_EQ(signal(110), 1U);
    EXPECT_EQ(signal(409), 30U);
    EXPECT_EQ(signal(410), 31U);
    EXPECT_EQ(signal(INT64_MAX), 31U) << "the last one stands for all beyond";
    EXPECT_EQ(signal_of(INT64_MAX, bands, CsigForm::wide), 0xFFFFFU);
    EXPECT_EQ(signal_of(410, bands, CsigForm::wide), 31U);
}

TEST(CsigTag, LessBandwidthAndMoreDelayAreWorse) {
    for (const CsigType type : {CsigType::bandwidth, CsigType::relative}) {
        EXPECT_TRUE(is_worse(type, 3, 4));
        EXPECT_FALSE(is_worse(type, 4, 4));
        EXPECT_FALSE(is_worse(type, 5, 4));
    }
    for (const CsigType type : {CsigType::delay, CsigType::depth}) {
        EXPECT_TRUE(is_worse(type, 5, 4));
        EXPECT_FALSE(is_worse(type, 4, 4));
        EXPECT_FALSE(is_worse(type, 3, 4));
    }
}

}  // namespace
}  // namespace sluice
