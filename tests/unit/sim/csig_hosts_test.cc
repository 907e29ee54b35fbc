// Hosts that add CSIG tags: what they send, what comes back through a switch, and what their window
// makes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/network/congestion/csig_window.h"
#include "tools/sim/network/host.h"
#include "tools/sim/network/switch_node.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

CsigSettings both_forms() {
    CsigSettings settings;
    settings.compact.tpid = 0x9900;
    settings.wide.tpid = 0x9901;
    settings.compact.bands.fill({0, 10'000});
    settings.wide.bands.fill({0, 100});
    return settings;
}

TEST(CsigStartTest, ATagBeginsWithTheBestSignalOfItsType) {
    const auto octets = [](CsigForm form, CsigType type) {
        const CsigStart start = csig_start(both_forms(), form, type);
        return std::vector<int>(start.tag().begin(), start.tag().end());
    };
    using Octets = std::vector<int>;
    EXPECT_EQ(octets(CsigForm::compact, CsigType::delay), (Octets{0x99, 0x00, 0x40, 0x00}));
    EXPECT_EQ(octets(CsigForm::compact, CsigType::bandwidth), (Octets{0x99, 0x00, 0x0F, 0x80}));
    EXPECT_EQ(octets(CsigForm::wide, CsigType::depth),
              (Octets{0x99, 0x01, 0x00, 0x00, 0x30, 0x00, 0x00, 0x00}));
    EXPECT_EQ(octets(CsigForm::wide, CsigType::relative),
              (Octets{0x99, 0x01, 0x00, 0x00, 0x1F, 0xFF, 0xFF, 0x00}));
}

TEST(CsigStartTest, AFrameWithItIsReadAsOneWithout) {
    Packet packet;
    const CsigStart start = csig_start(both_forms(), CsigForm::wide, CsigType::delay);
    std::ranges::copy(header_of({.ip = true, .ecn = true, .pair = 77, .csig = start}),
                      packet.octets.begin());
    packet.csig = start.length;
    packet.length = 996;
    write_ip_length(packet);
    EXPECT_EQ(read_16(&packet.octets[12 + 4 + 8]), ipv4_type);
    EXPECT_EQ(read_16(&packet.octets[12 + 4 + 8 + 2 + 2]), 996 - 26);
    EXPECT_EQ(pair_of(packet), 77U);
    EXPECT_FALSE(is_marked(packet));
    packet.octets[12 + 4 + 8 + 2 + 1] |= 3;
    EXPECT_TRUE(is_marked(packet));
    const CsigTags tags(both_forms());
    EXPECT_EQ(tags.find(packet.octets).form, CsigForm::wide) << "so the switch finds it";
    EXPECT_EQ(csig_of(packet, tags).type, static_cast<uint8_t>(CsigType::delay));
}

class SignalKeeper : public RateControl {
  public:
    explicit SignalKeeper(std::vector<CsigSignal>& signals) : signals_(signals) {}
    [[nodiscard]] Asks asks() const override { return Asks::acknowledgement; }
    [[nodiscard]] Picos ready_at(Bytes /*frame*/, Picos now) const override { return now; }
    void sent(Bytes /*frame*/, Picos /*now*/) override {}
    void acknowledged(const FrameReport& report, Picos /*now*/) override {
        signals_.push_back(report.csig.value());
    }

  private:
    std::vector<CsigSignal>& signals_;
};

TEST(CsigHostTest, WhatASwitchWroteComesBackWithTheAcknowledgement) {
    constexpr BitsPerSecond fast{10'000'000'000};
    constexpr BitsPerSecond slow{1'000'000'000};
    Settings settings;
    settings.csig = both_forms();
    settings.ports.resize(2);
    settings.ports[0].speed = fast;
    settings.ports[1].speed = slow;
    settings.ports[1].csig = {.mode = CsigMode::update, .locator = 5};
    settings.fdb.static_entries = {{.address = {11}, .port = 0}, {.address = {12}, .port = 1}};
    Network network;
    SwitchNode node(network, settings);
    Host a(network, {11}, fast);
    Host b(network, {12}, slow);
    b.set_csig(settings.csig);
    connect(a, node.port(0), {.speed = fast});
    connect(b, node.port(1), {.speed = slow});
    std::vector<CsigSignal> signals;
    Flow flow{.to = {12}, .stops_after_script = true, .ip = true, .answers_to = {11}};
    flow.csig = csig_start(settings.csig, CsigForm::wide, CsigType::depth);
    flow.script.assign(4, 1000);
    a.sender.add(flow, {{flow.to, 0}}, 1, std::make_unique<SignalKeeper>(signals));
    a.look();
    network.run_for(Nanos(100'000));
    ASSERT_EQ(signals.size(), 4U);
    std::vector<int> frames;  // that wait behind it, of 8 us each
    for (const CsigSignal& signal : signals) frames.push_back(static_cast<int>(signal.value) / 79);
    EXPECT_EQ(frames, (std::vector<int>{0, 2, 1, 0})) << "the second leaves once all are there";
    EXPECT_EQ(signals[1].locator, 5);
    EXPECT_EQ(signals[3].locator, 0) << "not replaced";
}

constexpr Picos us{1'000'000};
constexpr Bytes frame{1000};

struct Controlled {
    CsigWindow window;
    Bytes through{0};

    void send(Picos now) { window.sent(frame, now); }
    void answer(uint32_t signal, Picos left, Picos now) {
        through += on_wire_of(frame);
        window.acknowledged({.on_wire = on_wire_of(frame),
                             .through = through,
                             .left = left,
                             .csig = CsigSignal{.type = 2, .value = signal}},
                            now);
    }
};

TEST(CsigWindowTest, BelowTheTargetItGrowsByAFrameARoundTrip) {
    Controlled sender{{{.additive = Bytes(1020), .initial = Bytes(2040)}, {0, 10'000}}};
    for (int n = 0; n < 2; ++n) sender.send(us);
    EXPECT_GT(sender.window.ready_at(frame, us), us) << "the window is full";
    sender.answer(0, us, us * 11);
    sender.answer(0, us, us * 11);
    EXPECT_EQ(sender.window.window(), Bytes(2040 + 510)) << "the second did not find it full";
}

TEST(CsigWindowTest, AboveTheTargetItFallsOnceARoundTripByHowFar) {
    Controlled sender{{{.initial = Bytes(102'000)}, {0, 10'000}}};
    for (int n = 0; n < 4; ++n) sender.send(us);
    sender.answer(2, us, us * 21);  // 20 us, twice the target: by 0.8 x 1/2
    EXPECT_NEAR(static_cast<double>(sender.window.window().count()), 102'000 * 0.6, 2);
    sender.answer(31, us, us * 22);
    EXPECT_NEAR(static_cast<double>(sender.window.window().count()), 102'000 * 0.6, 2);
    sender.answer(31, us * 21, us * 42);
    EXPECT_NEAR(static_cast<double>(sender.window.window().count()), 102'000 * 0.3, 2)
        << "by half at the most";
    sender.answer(1, us * 42, us * 90);
    EXPECT_NEAR(static_cast<double>(sender.window.window().count()), 102'000 * 0.3, 2)
        << "at the target nothing";
}

TEST(CsigWindowTest, AWindowOfLessThanAFrameIsAFrameThatWaits) {
    Controlled sender{
        {{.additive = Bytes(51), .initial = Bytes(204), .least = Bytes(100)}, {0, 10'000}}};
    sender.send(us);
    sender.answer(0, us, us * 11);
    EXPECT_EQ(sender.window.ready_at(frame, us * 11), us * 11);
    sender.send(us * 11);
    sender.answer(1, us * 11, us * 21);
    EXPECT_GT(sender.window.ready_at(frame, us * 21), us * 21);
    EXPECT_LE(sender.window.ready_at(frame, us * 21), us * (11 + 10 * 4)) << "four round trips";
}

NetworkResult four_to_one(const std::string& csig) {
    return test::run(R"(
run: {time: 6ms, warmup: 3ms}
cable: {speed: 40G, length: 100m}
topology: {star: {hosts: 5}}
switch:
  csig: {compact: {tpid: 0x9900}, wide: {tpid: 0x9901}}
  defaults: {lossless: [3], pfc: {xoff: 1MiB, xon: 768KiB}, csig: {mode: update}}
peers: [{hosts: all, rate_control: csig, csig: )" +
                     csig + R"(}]
flows:
  - {from: [h1, h2], to: h0, priority: 3}
  - {from: [h3, h4], to: h0, priority: 3, start: 500us}
)");
}

TEST(CsigScenarioTest, SendersShareAWireAndLeaveInItsQueueWhatTheTargetSays) {
    for (const char* form : {"compact", "wide"}) {
        for (const char* signal : {"delay", "depth"}) {
            const NetworkResult result = four_to_one(std::string("{form: ") + form +
                                                     ", signal: " + signal + ", target: 10us}");
            const auto& [first, second] = std::pair(result.flows[0], result.flows[1]);
            EXPECT_GT(first.throughput + second.throughput, 0.95 * 39.5e9) << form << signal;
            EXPECT_NEAR(first.throughput / second.throughput, 1, 0.3) << form << signal;
            for (const FlowResult& flow : result.flows) {
                EXPECT_EQ(flow.lost, 0U);
                EXPECT_LT(flow.p99_delay_ns, 40'000U) << form << signal;
            }
            for (const PortResult& port : result.ports) EXPECT_EQ(port.tx_pause, 0U);
        }
    }
}

TEST(CsigScenarioTest, AHigherTargetIsALongerQueue) {
    const NetworkResult low = four_to_one("{form: wide, target: 5us}");
    const NetworkResult high = four_to_one("{form: wide, target: 50us}");
    EXPECT_LT(low.flows[0].mean_delay_ns * 3, high.flows[0].mean_delay_ns);
}

}  // namespace
}  // namespace sluice::sim
