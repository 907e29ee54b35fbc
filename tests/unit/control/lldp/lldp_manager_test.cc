#include "control/lldp/manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/loader.h"
#include "control/lldp/text.h"
#include "dataplane/shard.h"
#include "tests/unit/control/lldp/frames.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using lldp::NeighbourEvent;

constexpr Nanos begin = 1000_s;

config::Configuration configuration_of(const std::string& more, const std::string& of_a = "") {
    auto configuration = config::load_text(
        fmt::format(
            "ports:\n- {{name: a, device: 'null:1'{}}}\n- {{name: b, device: 'null:2'}}\n{}", of_a,
            more),
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    configuration->settings.ports[0].address = {0x0200000000A2};
    configuration->settings.ports[1].address = {0x0200000000A1};
    return *configuration;
}

// A switch whose worker, and whose peers, are the test.
class DiscoveryTest : public testing::Test {
  protected:
    void start(const std::string& more = "", const std::string& of_a = "") {
        const config::Configuration configuration = configuration_of(more, of_a);
        dataplane = std::make_unique<Switch>(configuration.settings);
        manager = std::make_unique<LldpManager>(*dataplane, configuration, "host", recorded.sink);
        for (PortIndex port = 0; port < 2; ++port) {
            dataplane->set_link(port, true);
            manager->set_link(port, {.up = true}, begin);
        }
    }
    void receive(PortIndex port, const lldp::Lldpdu& lldpdu) {
        EXPECT_TRUE(dataplane->received(port).post(frame_of(lldpdu)));
    }
    // Returns the LLDPDUs that the port's worker sends now.
    std::vector<lldp::Lldpdu> sent(PortIndex port) {
        std::vector<lldp::Lldpdu> said;
        for (auto octets = dataplane->shard_of(port).control_frame(port); !octets.empty();
             octets = dataplane->shard_of(port).control_frame(port)) {
            lldp::TlvCounts counts;
            said.push_back(read_lldpdu(octets.subspan(14), counts).value());
            source = read_address(&octets[6]);
            dataplane->shard_of(port).control_frame_sent(port);
        }
        return said;
    }
    // Returns the events since the last call, one word each: the port and the event, such as "0+
    // 1-".
    std::string words() {
        std::string text;
        for (const RecordedEvents::Row& event : recorded.take()) {
            const std::string what = event.kind.substr(std::string("lldp_neighbour_").size());
            const char sign = what == "added" ? '+' : what == "changed" ? '~' : '-';
            text += fmt::format("{}{}{}", text.empty() ? "" : " ", event.port, sign);
        }
        return text;
    }
    std::string words_after_proceeding(Nanos now) {
        manager->tick(now);
        return words();
    }

    std::unique_ptr<Switch> dataplane;
    RecordedEvents recorded;
    std::unique_ptr<LldpManager> manager;
    MacAddress source;  // of the last frame that was sent
};

TEST_F(DiscoveryTest, SaysWhoWeAreOnEachPort) {
    start("lldp: {system_name: leaf1, management_address: 192.0.2.1}\n",
          ", lldp: {port_id: 1/1, description: up}");
    manager->tick(begin);
    const auto on_a = sent(0);
    ASSERT_EQ(on_a.size(), 1U);
    EXPECT_EQ(source, (MacAddress{0x0200000000A2}));
    EXPECT_EQ(lldp::chassis_text(on_a[0].chassis_id), "02:00:00:00:00:a1");
    EXPECT_EQ(lldp::port_text(on_a[0].port_id), "1/1");
    EXPECT_EQ(lldp::port_id_subtype_name(on_a[0].port_id), "local");
    EXPECT_EQ(on_a[0].ttl, 121);
    EXPECT_EQ(on_a[0].system_name, "leaf1");
    EXPECT_EQ(on_a[0].port_description, "up");
    EXPECT_EQ(on_a[0].capabilities->enabled, lldp::bridge_capability);
    EXPECT_EQ(lldp::address_text(on_a[0].management_addresses.at(0)), "192.0.2.1");
    const auto on_b = sent(1);
    ASSERT_EQ(on_b.size(), 1U);
    EXPECT_EQ(on_b[0].chassis_id, on_a[0].chassis_id);
    EXPECT_EQ(lldp::port_text(on_b[0].port_id), "b");
    EXPECT_EQ(lldp::port_id_subtype_name(on_b[0].port_id), "interface_name");
}

TEST_F(DiscoveryTest, GoesByTheHostsNameUnlessItIsGivenOne) {
    start();
    manager->tick(begin);
    EXPECT_EQ(sent(0).at(0).system_name, "host");
}

TEST_F(DiscoveryTest, TakesAnyChassisId) {
    start("lldp: {chassis_id: '02:00:00:00:00:01'}\n");
    EXPECT_EQ(lldp::chassis_id_subtype_name(manager->agents()[0].settings().local.chassis_id),
              "mac_address");
    start("lldp: {chassis_id: row 2}\n");
    EXPECT_EQ(lldp::chassis_id_subtype_name(manager->agents()[0].settings().local.chassis_id),
              "local");
    EXPECT_EQ(lldp::chassis_text(manager->agents()[0].settings().local.chassis_id), "row 2");
}

TEST_F(DiscoveryTest, GoesByTheAddressThatItHadAtStart) {
    start();
    config::Configuration next = configuration_of("");
    next.settings.ports[0].address = {0x020000000001};
    manager->configure(next, begin);
    EXPECT_EQ(lldp::chassis_text(manager->agents()[1].settings().local.chassis_id),
              "02:00:00:00:00:a1");
}

TEST_F(DiscoveryTest, IsSilentWhereTheFileSaysSo) {
    start("", ", lldp: {mode: rx}");
    manager->tick(begin);
    EXPECT_TRUE(sent(0).empty());
    EXPECT_FALSE(sent(1).empty());
    start("lldp: {enabled: false}\n");
    manager->tick(begin);
    EXPECT_TRUE(sent(0).empty() && sent(1).empty());
}

TEST_F(DiscoveryTest, ReportsWhoCameAndWent) {
    start();
    receive(0, lldp::lldpdu_of("x"));
    receive(1, lldp::lldpdu_of("y"));
    EXPECT_EQ(words_after_proceeding(begin), "0+ 1+");
    EXPECT_EQ(words_after_proceeding(begin), "");
    lldp::Lldpdu renamed = lldp::lldpdu_of("x");
    renamed.system_name = "new";
    receive(0, renamed);
    receive(1, lldp::lldpdu_of("y", "1", 0));
    manager->tick(begin + 1_s);
    const auto events = recorded.take();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].kind, "lldp_neighbour_changed");
    EXPECT_EQ(events[0].port, "0");
    EXPECT_EQ(events[0].text, "LLDP neighbour new, chassis x, port 1 changed");
    EXPECT_EQ(events[1].kind, "lldp_neighbour_removed");
    EXPECT_EQ(events[1].port, "1");
    manager->set_link(0, {}, begin + 2_s);
    EXPECT_EQ(words(), "0-");
    EXPECT_EQ(kind_of(NeighbourEvent::removed), "lldp_neighbour_removed");
}

TEST_F(DiscoveryTest, ForgetsWhoseTimeToLiveIsOver) {
    start();
    receive(0, lldp::lldpdu_of("x", "1", 10));
    manager->tick(begin);
    recorded.take();
    EXPECT_EQ(words_after_proceeding(begin + 9_s), "");
    EXPECT_EQ(words_after_proceeding(begin + 10_s), "0-");
}

TEST_F(DiscoveryTest, LeavesOutNewsOfAPeerThatIsNeverTheSame) {
    start();
    std::size_t event_count = 0;
    for (int n = 0; n < 300; ++n) {
        lldp::Lldpdu lldpdu = lldp::lldpdu_of("x");
        lldpdu.system_name = std::to_string(n);
        receive(0, lldpdu);
        manager->tick(begin + 10_ms * n);
        event_count += recorded.take().size();
    }
    EXPECT_GE(event_count, EventSink::burst);
    EXPECT_LE(event_count, EventSink::burst + 4);
    EXPECT_EQ(manager->agents()[0].neighbours()[0].lldpdu.system_name, "299");
}

TEST_F(DiscoveryTest, TakesNoMoreThanAMailboxAtOnce) {
    start();
    for (uint32_t n = 0; n < Mailbox::slots; ++n) receive(0, lldp::lldpdu_of("x"));
    EXPECT_FALSE(dataplane->received(0).post(frame_of(lldp::lldpdu_of("x"))));
    manager->tick(begin);
    EXPECT_EQ(manager->agents()[0].statistics().frames_in, Mailbox::slots);
}

TEST_F(DiscoveryTest, NotifiesNeighboursThatItStops) {
    start();
    manager->tick(begin);
    sent(0);
    receive(0, lldp::lldpdu_of("x"));
    manager->tick(begin + 1_s);
    sent(0);
    recorded.take();
    manager->stop(begin + 1_s);
    EXPECT_EQ(words(), "") << "it is the switch that goes";
    EXPECT_TRUE(manager->agents()[0].neighbours().empty());
    const auto last = sent(0);
    ASSERT_EQ(last.size(), 1U);
    EXPECT_EQ(last[0].ttl, 0);
}

// Whatever the worker does not take fills the mailbox.
TEST_F(DiscoveryTest, AFrameThatFindsNoRoomIsSentAgainAndCountedOnce) {
    start();
    while (dataplane->send_for_control(0, frame_of(lldp::lldpdu_of("x")))) {
    }
    manager->tick(begin);
    EXPECT_EQ(manager->agents()[0].statistics().frames_out, 0U);
    sent(0);
    manager->tick(begin + 100_ms);
    ASSERT_EQ(sent(0).size(), 1U);
    EXPECT_EQ(manager->agents()[0].statistics().frames_out, 1U);

    while (dataplane->send_for_control(0, frame_of(lldp::lldpdu_of("x")))) {
    }
    manager->configure(configuration_of("", ", lldp: {mode: disabled}"), begin + 5_s);
    sent(0);
    manager->tick(begin + 6_s);
    const auto last = sent(0);
    ASSERT_EQ(last.size(), 1U) << "the shutdown too";
    EXPECT_EQ(last[0].ttl, 0);
}

TEST_F(DiscoveryTest, TakesOverWhatIsConfiguredAnew) {
    start();
    manager->tick(begin);
    sent(0);
    sent(1);
    manager->configure(
        configuration_of("lldp: {system_name: other, hold: 2}\n", ", lldp: {mode: disabled}"),
        begin + 5_s);
    const auto on_a = sent(0);
    ASSERT_EQ(on_a.size(), 1U);
    EXPECT_EQ(on_a[0].ttl, 0);
    const auto on_b = sent(1);
    ASSERT_EQ(on_b.size(), 1U);
    EXPECT_EQ(on_b[0].system_name, "other");
    EXPECT_EQ(on_b[0].ttl, 61);
}

// Reports how many neighbours it received last, and keeps their TLVs.
class CountingProvider : public lldp::TlvProvider {
  public:
    explicit CountingProvider(std::vector<lldp::OrganisationalTlv>& heard) : received_(heard) {}
    std::vector<lldp::OrganisationalTlv> neighbours(
        std::span<const lldp::OrganisationalNeighbour> neighbours, Nanos) override {
        count_ = static_cast<uint8_t>(neighbours.size());
        received_.clear();
        for (const auto& neighbour : neighbours) {
            received_.insert(received_.end(), neighbour.tlvs.begin(), neighbour.tlvs.end());
        }
        return to_send();
    }
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> to_send() const override {
        return {{0x0080C2, 11, {count_}}};
    }
    void change_its_mind(uint8_t count) { count_ = count; }

  private:
    std::vector<lldp::OrganisationalTlv>& received_;
    uint8_t count_ = 0;
};

TEST_F(DiscoveryTest, LetsAProtocolRideOnAPort) {
    start();
    std::vector<lldp::OrganisationalTlv> heard;
    auto owned = std::make_unique<CountingProvider>(heard);
    CountingProvider& provider = *owned;
    manager->set_provider(0, std::move(owned), begin);
    manager->tick(begin);
    EXPECT_EQ(sent(0).at(0).organisational.at(0).payload, lldp::Octets{0});
    EXPECT_TRUE(sent(1).at(0).organisational.empty());

    lldp::Lldpdu theirs = lldp::lldpdu_of("x");
    theirs.organisational = {{0x0080C2, 9, {1, 2, 3}}};
    receive(0, theirs);
    manager->tick(begin + 1_s);
    EXPECT_EQ(heard, theirs.organisational);
    EXPECT_EQ(sent(0).at(0).organisational.at(0).payload, lldp::Octets{1});

    provider.change_its_mind(9);
    manager->tick(begin + 2_s);
    EXPECT_EQ(sent(0).at(0).organisational.at(0).payload, lldp::Octets{9}) << "of its own accord";

    manager->set_link(0, {}, begin + 3_s);
    EXPECT_TRUE(heard.empty());
}

}  // namespace
}  // namespace sluice::control
