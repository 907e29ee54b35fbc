// Where on its journey a frame is captured, and what is noted of it.
#include "dataplane/capture/capture_points.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "dataplane/poll.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::hex;
using test::Rig;
using test::settings_of;
using test::station;

constexpr PortSet everywhere = ~PortSet{0};
const CaptureRing::Wanted everything{
    .received = everywhere, .sent = everywhere, .dropped = everywhere};

std::string name_of(PortIndex port) {
    return port == CaptureRecord::unknown ? "-" : std::to_string(port);
}

// Returns a record as words: "in 0", "out 1<0", "made 1", "drop 0 over_threshold 0>1", a priority
// behind a p.
std::string text_of(const CaptureRecord& record) {
    const std::string priority =
        record.priority == CaptureRecord::unknown ? "" : " p" + std::to_string(record.priority);
    switch (record.as) {
        case CapturedAs::received:
            return "in " + name_of(record.port) + priority;
        case CapturedAs::sent:
            return "out " + name_of(record.port) + "<" + name_of(record.input) + priority;
        case CapturedAs::generated:
            return "made " + name_of(record.port);
        case CapturedAs::dropped_ingress:
        case CapturedAs::dropped_egress:
        case CapturedAs::trimmed:
            break;
    }
    std::string what = "drop ";
    if (record.as == CapturedAs::dropped_egress) what = "late drop ";
    if (record.as == CapturedAs::trimmed) what = "trimmed ";
    return what + name_of(record.port) + " " + std::string(name_of(record.reason)) + " " +
           name_of(record.input) + ">" + name_of(record.output) + priority;
}

std::vector<std::string> taken(CaptureRing& ring) {
    std::vector<std::string> words;
    ring.take([&](const CaptureRecord& record, std::span<const uint8_t>) {
        words.push_back(text_of(record));
    });
    return words;
}

using Words = std::vector<std::string>;

struct Captured {
    explicit Captured(const Settings& settings)
        : rig(settings), ring(std::make_unique<CaptureRing>(everything)) {
        EXPECT_TRUE(capture_points().attach(*ring));
        rig.housekeep();
    }
    CapturePoints& capture_points() { return rig.dataplane.capture_points(0); }
    Words seen() { return taken(*ring); }

    Rig rig;
    std::unique_ptr<CaptureRing> ring;
};

TEST(CapturePoints, AreAdoptedOnceAPoll) {
    CapturePoints points;
    const auto ring = std::make_unique<CaptureRing>(everything);
    EXPECT_FALSE(points.any());
    ASSERT_TRUE(points.attach(*ring));
    const uint32_t attached = points.last_change();
    EXPECT_FALSE(points.any() || points.has_adopted(attached));
    points.adopt();
    EXPECT_TRUE(points.any() && points.has_adopted(attached));
    const uint32_t detached = points.detach(*ring);
    EXPECT_TRUE(points.any());
    EXPECT_FALSE(points.has_adopted(detached));
    points.adopt();
    EXPECT_FALSE(points.any());
    EXPECT_TRUE(points.has_adopted(detached));
}

TEST(CapturePoints, AreSoManyAtMost) {
    CapturePoints points;
    std::vector<std::unique_ptr<CaptureRing>> all;
    for (std::size_t n = 0; n < CapturePoints::most; ++n) {
        EXPECT_TRUE(points.attach(*all.emplace_back(std::make_unique<CaptureRing>(everything))));
    }
    const auto more = std::make_unique<CaptureRing>(everything);
    EXPECT_FALSE(points.attach(*more));
    points.detach(*all[1]);
    EXPECT_TRUE(points.attach(*more));
}

TEST(CapturePoints, SeeWhatComesInWithItsPriority) {
    Captured at(settings_of(2));
    at.rig.receive(0, "a", {.tag = test::Tag{.pcp = 5}});
    at.rig.receive(1, {hex("0180c2000001 020000000101 8808 0101 0000")});
    EXPECT_EQ(at.seen(), (Words{"in 0 p5", "in 1", "drop 1 pause_length 1>-"}));
}

TEST(CapturePoints, SeeWhereAFrameIsDroppedAndWhy) {
    Settings settings = settings_of(3);
    settings.buffer.size = 64_KiB;
    settings.buffer.alpha_128 = 1;
    settings.buffer.reserved = 0_B;
    Captured at(settings);
    at.rig.receive(0, "a", {.to = station(0)});
    EXPECT_EQ(at.seen(), (Words{"in 0 p0", "drop 0 same_port 0>- p0"}));
    at.rig.receive(0, "bc", {.to = station(2), .length = 400});
    Words words;
    uint32_t depth = 0;
    at.ring->take([&](const CaptureRecord& record, std::span<const uint8_t>) {
        words.push_back(text_of(record));
        depth = record.depth;
    });
    EXPECT_EQ(words, (Words{"in 0 p0", "in 0 p0", "drop 0 over_threshold 0>2 p0"}));
    EXPECT_EQ(Bytes(depth), at.rig.dataplane.ingress(0).voq(2, 0).bytes());
    EXPECT_GT(depth, 0U);
}

TEST(CapturePoints, SeeEachCopyOfAFloodThatIsDropped) {
    Settings settings = settings_of(4);
    settings.ports[2].max_frame = settings.ports[3].max_frame = 100_B;
    Captured at(settings);
    at.rig.receive(0, "a", {.to = {0xFFFF'FFFF'FFFF}, .length = 200});
    EXPECT_EQ(at.seen(),
              (Words{"in 0 p0", "drop 0 mtu_exceeded 0>2 p0", "drop 0 mtu_exceeded 0>3 p0"}));
    EXPECT_EQ(at.rig.drops(0, Drop::mtu_exceeded), 2U);
}

// There are as many records as counted drops: the last of the copies is the frame itself.
TEST(CapturePoints, SeeAFrameThatFitsNowhere) {
    Settings settings = settings_of(3);
    settings.ports[1].max_frame = settings.ports[2].max_frame = 100_B;
    Captured at(settings);
    at.rig.receive(0, "a", {.to = {0xFFFF'FFFF'FFFF}, .length = 200});
    EXPECT_EQ(at.seen(),
              (Words{"in 0 p0", "drop 0 mtu_exceeded 0>2 p0", "drop 0 mtu_exceeded 0>- p0"}));
    EXPECT_EQ(at.rig.drops(0, Drop::mtu_exceeded), 2U);
}

TEST(CapturePoints, SeeWhatIsFlushedOnEitherSideOfTheFabric) {
    Captured at(test::without_bypass(settings_of(2)));
    at.rig.receive(0, "ab", {.to = station(1)});
    at.rig.slot();
    at.rig.receive(0, "c", {.to = station(1)});
    at.seen();
    at.rig.dataplane.set_link(1, false);
    at.rig.housekeep();
    Words words;
    at.ring->take([&](const CaptureRecord& record, std::span<const uint8_t>) {
        words.push_back(text_of(record));
        EXPECT_EQ(record.depth, 256U) << "of one that waits in the VOQ";
    });
    EXPECT_EQ(words, (Words{"late drop 1 egress_down 0>1 p0", "late drop 1 egress_down 0>1 p0",
                            "drop 0 egress_down 0>1 p0"}));
    EXPECT_TRUE(at.rig.at_rest());
}

TEST(CapturePoints, SeeWhichOfSeveralOutputsThatCloseAFrameWaitedFor) {
    Captured at(test::without_bypass(settings_of(3)));  // they wait in VOQs
    at.rig.receive(0, "a", {.to = station(1)});
    at.rig.receive(0, "b", {.to = station(2)});
    at.seen();
    at.rig.dataplane.set_link(1, false);
    at.rig.dataplane.set_link(2, false);
    at.rig.housekeep();
    EXPECT_EQ(at.seen(), (Words{"drop 0 egress_down 0>1 p0", "drop 0 egress_down 0>2 p0"}));
    EXPECT_TRUE(at.rig.at_rest());
}

// The drop is not recorded before the arrival.
TEST(CapturePoints, SeeAFrameThatGetsNoBufferInThePollThatChoseIt) {
    Settings settings = settings_of(3);
    settings.mirrors = {{.from = 0b001, .to = 2}};
    settings.ports[1].tagging.aware = true;
    settings.vlan.filtering = true;
    settings.vlan.members[1] = 0b111;
    Captured at(settings);
    at.rig.now += 5_us;
    at.rig.ports.buffers_left = 0;
    at.rig.receive(0, "a", {.to = station(1)});
    at.rig.slot();
    at.rig.transmit(1);
    std::vector<Nanos> times;
    at.ring->take([&](const CaptureRecord& record, std::span<const uint8_t>) {
        if (record.reason == Drop::no_buffer || record.as == CapturedAs::received) {
            times.push_back(record.time);
        }
    });
    EXPECT_EQ(times, (std::vector<Nanos>(2, at.rig.now)));
}

// Port 0 is an access port of VLAN 10, port 1 a trunk that has it tagged.
Settings access_and_trunk() {
    Settings settings = settings_of(2);
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b11;
    settings.vlan.untagged[10] = 0b01;
    settings.ports[0].default_vlan = 10;
    for (PortSettings& port : settings.ports) port.tagging.aware = true;
    settings.fdb.static_entries = {{.vlan = 10, .address = station(0), .port = 0},
                                   {.vlan = 10, .address = station(1), .port = 1}};
    return settings;
}

std::vector<test::Octets> drops_seen(CaptureRing& ring) {
    std::vector<test::Octets> all;
    ring.take([&](const CaptureRecord& record, std::span<const uint8_t> octets) {
        EXPECT_EQ(record.length, octets.size());
        if (record.is_drop()) all.emplace_back(octets.begin(), octets.end());
    });
    return all;
}

test::Octets numbered(test::FrameSpec spec) {
    test::Octets octets = octets_of(spec);
    for (std::size_t n = 18; n < octets.size(); ++n) octets[n] = static_cast<uint8_t>(n);
    return octets;
}

// The frame is recorded as it came, whichever tag it was to get and wherever it waited.
TEST(CapturePoints, SeeADroppedFrameWithTheTagThatItCameWith) {
    for (const PortIndex input : {PortIndex{0}, PortIndex{1}}) {
        const PortIndex output = 1 - input;
        Captured at(access_and_trunk());
        test::FrameSpec spec{.to = station(output), .from = station(input), .length = 65};
        if (input == 1) spec.tag = test::Tag{.vlan = 10, .pcp = 3};
        const test::Octets octets = numbered(spec);
        at.rig.receive(input, {octets}, "a");
        at.rig.slot();
        at.rig.receive(input, {octets}, "b");
        at.rig.dataplane.set_link(output, false);
        at.rig.housekeep();
        const std::vector<test::Octets> both(2, octets);
        EXPECT_EQ(drops_seen(*at.ring), both) << "from " << int{input};
        EXPECT_TRUE(at.rig.at_rest());
    }
}

TEST(CapturePoints, SeeATaggedFrameThatFindsNoRoom) {
    Settings settings = access_and_trunk();
    settings.buffer.size = 64_KiB;
    settings.buffer.alpha_128 = 1;
    settings.buffer.reserved = 0_B;
    Captured at(settings);
    const test::Octets octets = numbered({.to = station(1), .length = 400});
    at.rig.receive(0, {octets, octets}, "ab");
    EXPECT_EQ(at.rig.drops(0, Drop::over_threshold), 1U);
    EXPECT_EQ(drops_seen(*at.ring), (std::vector<test::Octets>{octets}));
}

// The original length is not known any more, and no octet beyond it is read.
TEST(CapturePoints, SeeOfAFrameThatAPopMadeAsShortAsCanBeThatMuch) {
    for (const std::size_t length : {59U, 60U, 61U, 64U}) {
        Captured at(access_and_trunk());
        const test::Octets octets = numbered(
            {.to = station(0), .from = station(1), .tag = test::Tag{.vlan = 10}, .length = length});
        at.rig.receive(1, {octets}, "a");
        at.rig.dataplane.set_link(0, false);
        at.rig.housekeep();
        test::Octets known = octets;
        if (length > 60) known.resize(60);
        EXPECT_EQ(drops_seen(*at.ring), (std::vector<test::Octets>{known})) << length;
    }
}

// The device takes `room` frames a call and overwrites them, as another user of the buffer would.
class SpoilingWires {
  public:
    [[nodiscard]] static InputSet ready() { return ~InputSet{0}; }
    [[nodiscard]] static PortSet writable() { return ~PortSet{0}; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        if (from.port != 0) return 0;
        std::size_t count = 0;
        for (; count < burst.size() && next < frames.size(); ++count, ++next) {
            burst[count] = {};
            burst[count].data = frames[next].data();
            burst[count].length = static_cast<uint16_t>(frames[next].size());
        }
        return count;
    }
    std::size_t transmit(PortIndex, std::span<const Frame> burst) const {
        const std::size_t taken = std::min(room, burst.size());
        for (const Frame& frame : burst.first(taken)) std::fill_n(frame.data, frame.length, 0xEE);
        return taken;
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                                 const std::array<uint8_t, max_priorities>&) {
        return frames.size();
    }
    [[nodiscard]] bool send(PortIndex, std::span<const uint8_t>) const { return takes_made; }
    static void release(Released& released) { released.clear(); }
    static void free(const Frame&) {}

    std::vector<test::Octets> frames;
    std::size_t next = 0;
    std::size_t room = max_burst;
    bool takes_made = true;
};

struct CapturedPoll {
    explicit CapturedPoll(const Settings& settings)
        : dataplane(settings),
          poll(dataplane, dataplane.shard(0), wires),
          ring(std::make_unique<CaptureRing>(
              CaptureRing::Wanted{.received = 0, .sent = everywhere, .dropped = 0})) {
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            dataplane.set_link(port, true);
        }
        dataplane.capture_points(0).attach(*ring);
        once();
    }
    // Polls once. Returns the last octets of the frames that were captured as leaving.
    std::string once() {
        now += 1_us;
        poll(now, 8);
        std::string letters;
        ring->take([&](const CaptureRecord& record, std::span<const uint8_t> octets) {
            EXPECT_EQ(record.time, now);
            words.push_back(text_of(record));
            letters += static_cast<char>(octets.back());
        });
        return letters;
    }

    SpoilingWires wires;
    Switch dataplane;
    Poll<SpoilingWires> poll;
    std::unique_ptr<CaptureRing> ring;
    Words words;
    Nanos now = 1_s;
};

TEST(CapturePoints, SeeWhatGoesOutOnceAndAsItWas) {
    CapturedPoll at(settings_of(2));
    for (const char letter : {'a', 'b', 'c', 'd', 'e'}) {
        test::Octets octets = octets_of(test::FrameSpec{.to = station(1)});
        octets.back() = static_cast<uint8_t>(letter);
        at.wires.frames.push_back(octets);
    }
    at.wires.room = 2;
    std::string seen = at.once();
    EXPECT_LT(seen.size(), 5U);  // the device was asked several times, and refused
    seen += at.once();
    at.wires.room = max_burst;
    seen += at.once();
    EXPECT_EQ(seen, "abcde");
    EXPECT_EQ(at.words, Words(5, "out 1<0 p0"));
}

TEST(CapturePoints, SeeWhatTheSwitchMakesOnceItIsTaken) {
    CapturedPoll at(settings_of(2));
    const test::Octets octets(60, 'l');
    at.wires.takes_made = false;
    ASSERT_TRUE(at.dataplane.send_for_control(1, octets));
    EXPECT_EQ(at.once(), "");
    at.wires.takes_made = true;
    EXPECT_EQ(at.once(), "l");
    EXPECT_EQ(at.words, Words{"made 1"});
}

}  // namespace
}  // namespace sluice
