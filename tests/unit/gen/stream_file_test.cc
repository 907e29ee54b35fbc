#include "tools/gen/stream_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/gen/fake_link.h"

namespace sluice::gen {
namespace {

using namespace literals;

std::vector<std::string> faults_of(std::string_view text, std::size_t ports = 2) {
    const auto streams = read_streams(text, "s.yaml", ports);
    return streams ? std::vector<std::string>() : config::lines_of(streams.error());
}

TEST(StreamFile, SaysAllThatAStreamIs) {
    const auto streams = read_streams(
        "streams:\n"
        "  - {name: voice, from: 0, to: 2, rate: 10Mbps, frame_bytes: imix, vlan: 10, pcp: 5,\n"
        "     dscp: 46, addresses: 100, burst: 32}\n"
        "  - {from: 1, to: 0}\n",
        "s.yaml", 3);
    ASSERT_TRUE(streams) << config::lines_of(streams.error()).front();
    ASSERT_EQ(streams->size(), 2U);
    const Stream& voice = streams->front();
    EXPECT_EQ(voice.name, "voice");
    EXPECT_EQ(voice.from, 0);
    const SenderSettings& sender = voice.sender;
    EXPECT_EQ(sender.pattern.only_to, PortIndex{2});
    EXPECT_EQ(sender.pattern.ports, 3);
    EXPECT_EQ(sender.pattern.priorities, only_priority(5));
    EXPECT_EQ(sender.pattern.frames.count, 3U);
    EXPECT_EQ(sender.rate.unit, Rate::Unit::bits_a_second);
    EXPECT_EQ(sender.rate.value, 10'000'000);
    EXPECT_EQ(sender.vlan, 10);
    EXPECT_EQ(sender.style.dscp, 46);
    EXPECT_EQ(sender.addresses, 100U);
    EXPECT_EQ(sender.burst, 32);

    const Stream& plain = streams->back();
    EXPECT_EQ(plain.name, "stream1");
    EXPECT_EQ(plain.from, 1);
    EXPECT_EQ(plain.sender.rate.unit, Rate::Unit::unlimited);
    EXPECT_FALSE(plain.sender.style.dscp);
    EXPECT_EQ(plain.sender.addresses, 1U);
    EXPECT_EQ(plain.sender.burst, 1);
}

TEST(StreamFile, ReportsAllFaultsByLineAndColumn) {
    EXPECT_EQ(
        faults_of("streams:\n"
                  "  - {from: 0, to: 2}\n"
                  "  - {from: 0, to: 0}\n"
                  "  - {from: 1, pcp: 8}\n"
                  "  - {from: 1, to: 0, rate: fast, size: 64}\n"
                  "  - {from: 1, to: 0, frame_bytes: 63}\n"
                  "  - 7\n"),
        (std::vector<std::string>{
            "s.yaml:2:19: streams[0].to: \"2\" is not a number from 0 to 1; write a number, "
            "for example 0",
            "s.yaml:3:19: streams[1].to: is the same port as `from`; write another port",
            "s.yaml:4:5: streams[2]: has no `to`; write a port number from 0 to 1",
            "s.yaml:4:20: streams[2].pcp: \"8\" is not a number from 0 to 7; write a number, "
            "for example 0",
            "s.yaml:5:28: streams[3].rate: fast is not a rate; use frames per second (1M), "
            "bits per second (10Gbps) or max",
            "s.yaml:5:34: streams[3].size: is not a key of a stream; use one of name, from, to, "
            "rate, frame_bytes, vlan, pcp, dscp, addresses, burst, frames, format, octets",
            "s.yaml:6:35: streams[4].frame_bytes: 63 is not a frame length; use 64 to "
            "9724, imix, or a mix like 64:7+1518:1",
            "s.yaml:7:5: streams[5]: is not a stream; write it as {from: 0, to: 1}"}));
}

TEST(StreamFile, SaysWhatIsWrongWithASemicolon) {
    EXPECT_EQ(faults_of("streams: [{from: 0, to: 1, frame_bytes: \"; 7\"}]"),
              std::vector<std::string>{"s.yaml:1:41: streams[0].frame_bytes: ; 7 is not a frame "
                                       "length; use 64 to 9724, imix, or a mix like 64:7+1518:1"});
}

TEST(StreamFile, TakesOctetsAsTheyAreAndFormatsByName) {
    const auto streams = read_streams(
        "streams:\n"
        "  - {from: 1, octets: 0180C2000001 02534C000001 8808 0101, rate: 100, frames: 7}\n"
        "  - {from: 0, to: 1, format: afh_lite}\n",
        "s.yaml", 2);
    ASSERT_TRUE(streams) << config::lines_of(streams.error()).front();
    const SenderSettings& raw = streams->front().sender;
    EXPECT_EQ(raw.octets, (std::vector<uint8_t>{0x01, 0x80, 0xC2, 0, 0, 1, 2, 0x53, 0x4C, 0, 0, 1,
                                                0x88, 0x08, 1, 1}));
    EXPECT_EQ(raw.frames, 7U);
    EXPECT_EQ(raw.pattern.frames.parts[0].octets, 20);  // with FCS
    EXPECT_TRUE(streams->back().sender.octets.empty());
    EXPECT_EQ(streams->back().sender.style.family, FormatFamily::afh_lite);
}

TEST(StreamFile, ReportsWhatIsWrongWithOctetsAndFormats) {
    for (const char* stream :
         {"octets: 0180C2000001", "octets: 0180C200000102534C000001880Z", "octets: ''",
          "octets: 0180C2000001 02534C000001 8808 0", "octets: 0180C200000102534C0000018808, to: 1",
          "octets: 0180C200000102534C0000018808, pcp: 1", "to: 1, format: afh",
          "to: 1, frames: -1"}) {
        EXPECT_EQ(faults_of(fmt::format("streams: [{{from: 0, {}}}]", stream)).size(), 1U)
            << stream;
    }
}

TEST(StreamFile, WantsAListOfStreams) {
    for (const char* text : {"", "streams:\n", "streams: []\n", "streams: 7\n", "- 1\n", "flows:\n",
                             "streams: [{from: 0, to: 1}]\nmore: 1\n"}) {
        EXPECT_FALSE(faults_of(text).empty()) << text;
    }
    std::string many = "streams:\n";
    for (std::size_t n = 0; n <= most_streams; ++n) many += "  - {from: 0, to: 1}\n";
    ASSERT_EQ(faults_of(many).size(), 1U);
    EXPECT_NE(faults_of(many)[0].find("at most 256 are allowed"), std::string::npos);
}

TEST(StreamFile, WantsAnotherNameForEach) {
    const auto faults = faults_of(
        "streams:\n"
        "  - {name: a, from: 0, to: 1}\n"
        "  - {name: a, from: 1, to: 0}\n"
        "  - {name: \"\", from: 1, to: 0}\n"
        "  - {name: [b], from: 1, to: 0}\n");
    ASSERT_EQ(faults.size(), 3U);
    EXPECT_EQ(faults[0],
              "s.yaml:3:5: streams[1].name: \"a\" is already the name of another stream; give each "
              "stream its own name");
}

// --- what becomes of them ------------------------------------------------------------------------

struct Wire {
    explicit Wire(const char* text) {
        traffic.senders.pattern.ports = 2;
        traffic.streams = read_streams(text, "s.yaml", 2).value();
        generator = std::make_unique<Generator>(views, traffic, Nanos());
    }
    void poll(Nanos now) {
        generator->poll([&] { return now; }, true);
    }
    // Carries the frames that one end sent to the other.
    void carry(std::size_t from) { links[1 - from].arrivals = std::exchange(links[from].sent, {}); }

    Traffic traffic;
    std::array<FakeLink, 2> links;
    const std::array<Link*, 2> views = {&links[0], &links[1]};
    std::unique_ptr<Generator> generator;
};

TEST(Streams, AreCountedEachForItself) {
    Wire wire(
        "streams:\n"
        "  - {name: a, from: 0, to: 1, rate: 1K, pcp: 3}\n"
        "  - {name: b, from: 0, to: 1, rate: 2K, pcp: 3}\n"
        "  - {name: c, from: 1, to: 0, rate: 1K}\n");
    for (Nanos now; now <= 4_ms; now += 500_us) {
        wire.poll(now);
        wire.carry(0);
        if (now == 2_ms) wire.links[1].arrivals.pop_back();  // of b
        wire.carry(1);
    }
    const Results results = wire.generator->results();
    ASSERT_EQ(results.flows.size(), 3U);
    EXPECT_EQ(results.flows[0].stream, 0U);
    EXPECT_EQ(results.flows[0].offered, 5U);
    EXPECT_EQ(results.flows[0].lost(), 1U) << "the last is still under way";
    EXPECT_EQ(results.flows[1].offered, 9U);
    EXPECT_EQ(results.flows[1].lost(), 2U);
    EXPECT_EQ(results.flows[2].offered, 5U);
    EXPECT_EQ(results.offered, 19U);
    EXPECT_EQ(results.strays, 0U);
    EXPECT_EQ(results.reordered, 0U);
    EXPECT_EQ(wire.generator->frames_sent(0), 14U);
}

TEST(Streams, HaveTheirTagAndTheirDscp) {
    Wire wire(
        "streams:\n"
        "  - {from: 0, to: 1, rate: 1K, vlan: 10, pcp: 5, dscp: 46, frame_bytes: 100}\n");
    wire.poll(Nanos());
    ASSERT_EQ(wire.links[0].sent.size(), 1U);
    const Octets& octets = wire.links[0].sent[0];
    EXPECT_EQ(octets.size(), 96U);
    EXPECT_EQ(octets[14], 5 << 5);
    EXPECT_EQ(octets[15], 10);
    EXPECT_EQ(octets[layout::ip_offset + layout::tos_field], 46 << 2);
    uint32_t sum = 0;
    for (std::size_t n = 0; n < layout::ip_octets; n += 2) {
        sum += static_cast<uint32_t>(octets[layout::ip_offset + n] << 8 |
                                     octets[layout::ip_offset + n + 1]);
    }
    EXPECT_EQ((sum & 0xFFFF) + (sum >> 16), 0xFFFFU) << "the checksum is right";
}

TEST(Streams, SendBurstsAtTheirRateInAll) {
    Wire wire(
        "streams:\n"
        "  - {from: 0, to: 1, rate: 1K, burst: 4}\n");
    std::string sent;
    for (Nanos now; now < 9_ms; now += 1_ms) {
        wire.poll(now);
        sent += static_cast<char>('0' + wire.links[0].sent.size());
        wire.links[0].sent.clear();
    }
    EXPECT_EQ(sent, "400040004");
}

TEST(Streams, OfOctetsAreSentAsTheyAreAndNeverLost) {
    Wire wire(
        "streams:\n"
        "  - {name: pause, from: 0, octets: 0180C2000001 02534C000000 8808, rate: 1K, frames: 3}\n"
        "  - {name: probes, from: 0, to: 1, rate: 1K, frames: 2}\n");
    wire.links[0].room = 4;
    for (Nanos now; now <= 9_ms; now += 1_ms) wire.poll(now);
    const Octets octets = {0x01, 0x80, 0xC2, 0, 0, 1, 2, 0x53, 0x4C, 0, 0, 0, 0x88, 0x08};
    EXPECT_EQ(std::ranges::count(wire.links[0].sent, octets), 2);
    EXPECT_FALSE(wire.generator->finished()) << "one was refused";
    EXPECT_EQ(wire.generator->results().raw, 2U) << "so it is not offered";
    wire.links[0].room = 1;
    wire.poll(10_ms);
    EXPECT_TRUE(wire.generator->finished());
    wire.carry(0);
    wire.poll(11_ms);
    const Results results = wire.generator->results();
    EXPECT_EQ(results.raw, 3U);
    EXPECT_EQ(results.offered, 2U);
    EXPECT_EQ(results.delivered, 2U);
    EXPECT_EQ(results.lost, 0U);
    EXPECT_EQ(results.strays, 0U);
}

TEST(Streams, OfOtherNumbersAreStrays) {
    Wire wire(
        "streams:\n"
        "  - {from: 0, to: 1, rate: 1K}\n");
    wire.links[1].arrivals = {probe_of({0, 1, 0}, first_of_stream(1)),
                              probe_of({0, 1, 0}, first_of_stream(65535))};
    wire.poll(Nanos());
    EXPECT_EQ(wire.generator->results().strays, 2U);
}

}  // namespace
}  // namespace sluice::gen
