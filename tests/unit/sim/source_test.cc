// What a source sends: messages cut into frames, at their times and their rate.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "dataplane/ingress/parse.h"
#include "tools/sim/network/congestion/window.h"
#include "tools/sim/network/frame_layout.h"
#include "tools/sim/network/host.h"
#include "tools/sim/network/sender.h"
#include "tools/sim/network/switch_node.h"

namespace sluice::sim {
namespace {

constexpr BitsPerSecond wire{10'000'000'000};  // an octet takes 800 ps
constexpr MacAddress there{0x0200'0000'0001};

Flow messages(Bytes carried, Bytes around = {}) {
    const int64_t length = (carried + around).count();
    return {.mix = {length, length},
            .messages = MessageSettings{.rate = wire, .carried = carried, .around = around}};
}

// Lengths with FCS and when they leave in nanoseconds, as if the wire were never busy.
std::string sent(Sender& sender, Picos until) {
    std::string all;
    Packet packet;
    for (Picos now; now <= until;) {
        if (sender.next(packet, now)) {
            all += fmt::format("{}@{} ", packet.length + 4, now.count() / 1000);
        } else {
            now = std::max(sender.next_due(now), sender.not_before());
        }
    }
    return all;
}

TEST(SourceTest, CutsAMessageIntoFramesTheLastAsShortAsItMayBe) {
    Sender sender({}, wire);
    const std::size_t source = sender.add(messages(Bytes(1000)), {{there, 0}}, 1);
    sender.source(source).post({.due = Picos(5000), .left = Bytes(2500)});
    sender.source(source).post({.due = Picos(9'000'000), .left = Bytes(1)});
    // 1020 octets of the wire take 816 ns.
    EXPECT_EQ(sent(sender, picos(Nanos(20'000))), "1000@5 1000@821 500@1637 64@9000 ");
}

TEST(SourceTest, AFrameHasItsHeaderAroundWhatItCarries) {
    Sender sender({}, wire);
    const std::size_t source = sender.add(messages(Bytes(1344), Bytes(62)), {{there, 0}}, 1);
    sender.source(source).post({.due = {}, .left = Bytes(1344 + 10)});
    EXPECT_EQ(sent(sender, picos(Nanos(20'000))), "1406@0 72@1140 ");
}

TEST(SourceTest, AnswersEveryPeriodUntilItStops) {
    Sender sender({}, wire);
    Flow flow = messages(Bytes(1000));
    flow.messages->first = Message{.due = Picos(1000), .left = Bytes(1500)};
    flow.messages->period = picos(Nanos(5000));
    flow.messages->stop = picos(Nanos(11'000));
    sender.add(flow, {{there, 0}}, 1);
    EXPECT_EQ(sent(sender, picos(Nanos(30'000))),
              "1000@1 500@817 1000@5001 500@5817 1000@10001 "
              "500@10817 ");
}

TEST(SourceTest, SendsMessagesAtTheirRate) {
    Sender sender({}, wire);
    Flow flow = messages(Bytes(1000));
    flow.messages->rate = BitsPerSecond(5'000'000'000);
    const std::size_t source = sender.add(flow, {{there, 0}}, 1);
    sender.source(source).post({.due = {}, .left = Bytes(3000)});
    EXPECT_EQ(sent(sender, picos(Nanos(9'000))), "1000@0 1000@1632 1000@3264 ");
}

TEST(SourceTest, TellsWhatIsDueAndHasNotLeft) {
    Sender sender({}, wire);
    Flow flow = messages(Bytes(1000));
    flow.messages->first = Message{.due = {}, .left = Bytes(3000)};
    flow.messages->period = picos(Nanos(10'000));
    sender.add(flow, {{there, 0}}, 1);
    Packet packet;
    ASSERT_TRUE(sender.next(packet, {}));
    EXPECT_EQ(sender.source(0).backlog(picos(Nanos(9'999))), Bytes(2000));
    EXPECT_EQ(sender.source(0).backlog(picos(Nanos(20'000))), Bytes(8000)) << "two more answers";

    sender.add({.mix = {1000, 1000}, .pace = PaceSettings{.rate = wire}}, {{there, 1}}, 1);
    EXPECT_EQ(sender.source(1).backlog(picos(Nanos(816))), Bytes(1020)) << "of the wire";
}

TEST(SourceTest, OneUnderControlHoldsUpNoOther) {
    Sender sender({}, wire);
    const Flow flow = messages(Bytes(1000));
    sender.add(flow, {{there, 0}}, 1,
               std::make_unique<Window>(WindowSettings{Bytes(1000), Nanos(8192)}));
    sender.add(flow, {{there, 1}}, 1);
    for (std::size_t source = 0; source < 2; ++source) {
        sender.source(source).post({.due = {}, .left = Bytes(2000)});
    }
    EXPECT_EQ(sent(sender, picos(Nanos(20'000))), "1000@0 1000@816 1000@1632 1000@8192 ");
}

TEST(FrameLayoutTest, ASwitchReadsItsPortsOfUdp) {
    for (const bool tagged : {true, false}) {
        const FrameHeader header = header_of(
            {.to = there, .tagged = tagged, .ip = true, .ecn = true, .source_port = 0xC123});
        const std::size_t network_offset = tagged ? 18 : 14;
        const Transport udp = transport_of(header, network_offset);
        EXPECT_EQ(udp.protocol, 17);
        EXPECT_EQ(udp.source_port, 0xC123);
        EXPECT_EQ(udp.destination_port, 9);
        // The addresses are of nobody, so that flows of two hosts differ by ports alone.
        for (std::size_t n = 12; n < 20; ++n) EXPECT_EQ(header[network_offset + n], 0);
    }
}

// Keeps the reports that come back with acknowledgements.
class ReportKeeper : public RateControl {
  public:
    explicit ReportKeeper(std::vector<FrameReport>& reports) : reports_(reports) {}
    [[nodiscard]] Asks asks() const override { return Asks::telemetry; }
    [[nodiscard]] Picos ready_at(Bytes /*frame*/, Picos now) const override { return now; }
    void sent(Bytes /*frame*/, Picos /*now*/) override {}
    void acknowledged(const FrameReport& report, Picos /*now*/) override {
        reports_.push_back(report);
    }

  private:
    std::vector<FrameReport>& reports_;
};

TEST(TelemetryTest, WhatWaitsIsOfTheWireAsWhatWasSentIs) {
    constexpr BitsPerSecond slow{1'000'000'000};
    Settings settings;
    settings.ports.resize(2);
    settings.fdb.static_entries = {{.address = {11}, .port = 0}, {.address = {12}, .port = 1}};
    Network network;
    SwitchNode node(network, settings);
    Host a(network, {11}, wire);
    Host b(network, {12}, slow);
    connect(a, node.port(0), {.speed = wire});
    connect(b, node.port(1), {.speed = slow});
    std::vector<FrameReport> reports;
    Flow flow{.to = {12}, .stops_after_script = true, .answers_to = {11}};
    flow.script.assign(4, 1000);
    a.sender.add(flow, {{flow.to, 0}}, 1, std::make_unique<ReportKeeper>(reports));
    a.look();
    network.run_for(Nanos(100'000));
    std::vector<int64_t> waits;
    for (const FrameReport& report : reports) waits.push_back(report.path[0].queued.count());
    // The second leaves once all are there.
    EXPECT_EQ(waits, (std::vector<int64_t>{0, 2 * 1020, 1020, 0}));
}

// Two hosts and the switch between them, where every frame of priority 3 that leaves is marked.
struct Pair {
    Pair() : node(network, settings()), a(network, {1}, wire), b(network, {2}, wire) {
        connect(a, node.port(0), {});
        connect(b, node.port(1), {});
        a.keeps_arrivals = true;
    }
    static Settings settings() {
        Settings settings;
        settings.ports.resize(2);
        settings.ports[1].ecn[3] = {.low = Bytes(0), .high = Bytes(1), .probability_65536 = 1};
        settings.fdb.static_entries = {{.address = {11}, .port = 0}, {.address = {12}, .port = 1}};
        return settings;
    }
    // 3 is its row.
    void send(int frames) {
        Flow flow{.to = {12},
                  .priority = 3,
                  .stops_after_script = true,
                  .ecn = true,
                  .answers_to = {11},
                  .row = 3};
        flow.script.assign(static_cast<std::size_t>(frames), 1000);
        a.sender.add(flow, 7);
        a.look();
    }

    Network network;
    SwitchNode node;
    Host a;
    Host b;
};

TEST(NoticesTest, AReceiverSendsOneForMarksInEachInterval) {
    Pair pair;
    int notices = 0;
    pair.a.on_notice = [&](uint16_t row) { notices += row == 3 ? 1 : 0; };
    pair.b.set_notices({.interval = Nanos(50'000), .pcp = 6});
    pair.send(150);  // 122 us of them
    pair.network.run_for(Nanos(200'000));
    EXPECT_EQ(pair.b.sink.received(3), 150U);
    EXPECT_EQ(notices, 3) << "at 0, 50 and 100 us";
    EXPECT_EQ(pair.network.packets().out(), 0U);
}

TEST(NoticesTest, AreNotSentUnlessSet) {
    Pair pair;
    int notices = 0;
    pair.a.on_notice = [&](uint16_t) { ++notices; };
    pair.send(10);
    pair.network.run_for(Nanos(200'000));
    EXPECT_EQ(notices, 0);
}

TEST(NoticesTest, WaitWhereTheirPriorityIsPaused) {
    Pair pair;
    int notices = 0;
    pair.a.on_notice = [&](uint16_t) { ++notices; };
    pair.b.set_notices({.interval = Nanos(50'000), .pcp = 6});
    PauseFrame pause;
    pause.enabled = only_priority(6);
    pause.time.fill(1000);  // 51.2 us
    pair.b.sender.receive(pause, {});
    pair.send(1);
    pair.network.run_for(Nanos(40'000));
    EXPECT_EQ(notices, 0);
    pair.network.run_for(Nanos(40'000));
    EXPECT_EQ(notices, 1);
}

TEST(PauseTest, EachPriorityGoesOnWhenItsOwnPauseEnds) {
    Network network;
    constexpr Cable cable{.speed = wire};
    Host sends(network, there, wire);
    Host receives(network, {0x0200'0000'0002}, wire);
    connect(sends, receives, cable);
    sends.sender.add({.to = {0x0200'0000'0002}, .priority = 3, .mix = {1000, 1000}}, 1);
    PauseFrame pause;
    pause.enabled = only_priority(3) | only_priority(5);
    pause.time[3] = 100;  // 5.12 us
    pause.time[5] = 1000;
    sends.sender.receive(pause, {});
    receives.keeps_arrivals = true;
    sends.look();
    network.run_for(Nanos(20'000));
    ASSERT_FALSE(receives.arrivals.empty());
    EXPECT_EQ(receives.arrivals.front().began, picos(Nanos(5120)));
}

}  // namespace
}  // namespace sluice::sim
