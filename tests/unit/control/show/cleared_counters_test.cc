#include "control/show/cleared_counters.h"

#include <gtest/gtest.h>

#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

constexpr uint64_t alice = 0x020000000001;
constexpr uint64_t bob = 0x020000000002;

// A switch whose counters can be cleared.
class ClearedSwitch : public DrivenSwitch {
  public:
    explicit ClearedSwitch(std::size_t ports) : DrivenSwitch(ports) {}

    void clear() {
        cleared_.take([this](std::string_view noun) { return show(noun); });
    }
    [[nodiscard]] Json since(std::string_view noun, bool all = false) const {
        return cleared_.since(noun, show(noun, all), all);
    }
    void rename(const std::map<std::string, std::string>& ports) { cleared_.rename(ports); }
    void forget(std::string_view noun, const std::string& port) { cleared_.forget(noun, port); }
    // Both stations are learned, so that no frame is flooded.
    void introduce() {
        receive(0, alice, bob);
        receive(1, bob, alice);
        forward();
    }

  private:
    ClearedCounters cleared_;
};

TEST(ClearedCounters, changes_nothing_before_it_is) {
    ClearedSwitch two(2);
    two.introduce();
    for (const char* noun : {"ports", "queues", "drops", "pfc", "fabric", "ledger"}) {
        EXPECT_EQ(two.since(noun), two.show(noun)) << noun;
    }
}

TEST(ClearedCounters, ports_count_from_there_on) {
    ClearedSwitch two(2);
    two.about[0].device_counters = {{"missed", 7}, {"errors", 1}};
    two.introduce();
    two.clear();
    for (const Json& port : two.since("ports")) {
        for (const char* key : {"rx_frames", "rx_bytes", "tx_frames", "tx_bytes", "dropped"}) {
            EXPECT_EQ(port.at(key), 0) << key;
        }
        EXPECT_EQ(port.at("lanes")[0].at("rx_frames"), 0);
        EXPECT_EQ(port.at("rate_bps"), 10'000'000'000);
    }
    two.receive(0, alice, bob);
    two.about[0].device_counters = {{"missed", 9}, {"errors", 0}};
    two.forward();
    const Json ports = two.since("ports");
    EXPECT_EQ(ports[0]["rx_frames"], 1);
    EXPECT_EQ(ports[0]["lanes"][0]["rx_frames"], 1);
    EXPECT_EQ(ports[1]["tx_bytes"], 64);
    EXPECT_EQ(ports[0]["device_counters"]["missed"], 2);
    EXPECT_EQ(ports[0]["device_counters"]["errors"], 0) << "the device began anew";
}

TEST(ClearedCounters, follows_ports_to_other_names) {
    ClearedSwitch two(2);
    two.introduce();
    two.receive(0, bob, alice);  // dropped
    two.introduce();
    two.clear();
    std::swap(two.about[0].name, two.about[1].name);
    two.rename({{"p0", "p1"}, {"p1", "p0"}});
    two.receive(0, alice, bob);
    two.forward();
    const Json ports = two.since("ports");
    EXPECT_EQ(ports[0]["name"], "p1");
    EXPECT_EQ(ports[0]["rx_frames"], 1);
    EXPECT_EQ(ports[1]["rx_frames"], 0);
    EXPECT_EQ(two.since("drops"), Json::array());
    const Json queues = two.since("queues");
    ASSERT_EQ(queues.size(), 1);
    EXPECT_EQ(queues[0]["input"], "p1");
    EXPECT_EQ(queues[0]["enqueued"], 1);
}

TEST(ClearedCounters, what_is_forgotten_counts_from_0) {
    ClearedSwitch two(2);
    lacp::Aggregator& bond =
        two.aggregators.emplace_back(lacp::AggregatorSettings{}, 0b11, std::array<MacAddress, 2>{});
    const std::array<uint8_t, 60> unknown{};
    const auto receive_pause = [&](int frames) {
        for (int frame = 0; frame < frames; ++frame) {
            for (PortIndex port = 0; port < 2; ++port) bond.receive(port, unknown, two.now);
        }
    };
    receive_pause(3);
    two.introduce();
    two.clear();
    bond.remove(0);
    bond.add(0, {});
    receive_pause(1);
    two.forget("lacp", "p0");
    EXPECT_EQ(two.since("lacp")[0]["unknown_in"], 1) << "it began after the clearing";
    EXPECT_EQ(two.since("lacp")[1]["unknown_in"], 1);
    EXPECT_EQ(two.since("ports")[0]["rx_frames"], 0) << "the rest is not forgotten";
}

TEST(ClearedCounters, what_waits_is_enqueued_after_it) {
    ClearedSwitch two(2);
    two.introduce();
    two.receive(0, alice, bob, 3);
    two.receive(0, alice, bob, 3);
    two.clear();
    const Json waiting = two.since("queues");
    ASSERT_EQ(waiting.size(), 1);
    EXPECT_EQ(waiting[0]["priority"], 3);
    EXPECT_EQ(waiting[0]["enqueued"], 2);
    EXPECT_EQ(waiting[0]["dequeued"], 0);
    EXPECT_EQ(waiting[0]["max_bytes"], 512) << "the most that waited is its worker's to forget";
    two.forward();
    EXPECT_EQ(two.since("queues")[0]["dequeued"], 2);
    EXPECT_GT(two.since("queues", true).size(), 1);
}

TEST(ClearedCounters, drops_go_and_those_of_a_port_agree_with_them) {
    ClearedSwitch two(2);
    two.introduce();
    two.receive(0, bob, alice);  // from where alice is to herself
    EXPECT_EQ(two.since("drops").size(), 1);
    two.clear();
    EXPECT_EQ(two.since("drops"), Json::array());
    two.receive(0, bob, alice);
    EXPECT_EQ(two.since("drops")[0]["frames"], 1);
    EXPECT_EQ(two.since("ports")[0]["dropped"], 1);
    two.clear();
    EXPECT_EQ(two.since("ports")[0]["dropped"], 0) << "a second time counts from there";
}

TEST(ClearedCounters, the_fabric_has_the_mean_of_what_came_after) {
    ClearedSwitch two(2);
    two.introduce();
    two.clear();
    EXPECT_EQ(two.since("fabric")["slots"], 0);
    EXPECT_EQ(two.since("fabric")["mean_matching"], 0.0);
    two.receive(0, alice, bob);
    two.forward();
    const Json fabric = two.since("fabric");
    EXPECT_EQ(fabric["frames"], 1);
    EXPECT_EQ(fabric["slots"], 1);
    EXPECT_EQ(fabric["mean_matching"], 1.0);
    EXPECT_EQ(fabric["histogram"][1]["slots"], 1);
    EXPECT_EQ(fabric["histogram"][2]["slots"], 0);
}

TEST(ClearedCounters, the_ledger_and_the_workers_go_on) {
    ClearedSwitch two(2);
    two.workers.push_back({.polls = 5});
    two.introduce();
    two.clear();
    EXPECT_EQ(two.since("ledger"), two.show("ledger"));
    EXPECT_EQ(two.since("workers"), two.show("workers"));
    EXPECT_EQ(two.since("ledger")["balanced"], true);
}

}  // namespace
}  // namespace sluice::control
