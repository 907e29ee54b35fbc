#include "control/publish.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/loader.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;

config::Configuration read(std::string_view text) {
    auto configuration = config::load_text(text, "next.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    return *configuration;
}

config::Configuration two_ports(std::string_view more = "", std::string_view of_b = "") {
    return read(
        fmt::format("ports:\n- {{name: a, device: 'null:1'}}\n"
                    "- {{name: b, device: 'null:2'{}}}\n{}",
                    of_b, more));
}

class PublisherTest : public testing::Test {
  protected:
    // A publisher as after a start: defaults of the machine are filled in.
    Publisher started(config::Configuration configuration) {
        configuration.settings.fdb.hash_seed = 77;
        configuration.settings.ports[0].address = {0x02AA};
        return {std::move(configuration),
                [this](const Settings& settings) { published_.push_back(settings); }};
    }
    std::vector<Settings> published_;
};

TEST_F(PublisherTest, publishes_what_can_change) {
    Publisher publisher = started(two_ports());
    ASSERT_TRUE(publisher.adopt(two_ports("buffer: {alpha: 2}\n", ", rate: 1G, lossless: [3]")));
    ASSERT_EQ(published_.size(), 1);
    EXPECT_EQ(published_[0].buffer.alpha_128, 256);
    EXPECT_EQ(published_[0].ports[1].rate, 1_Gbps);
    EXPECT_EQ(published_[0].ports[1].pfc.lossless, only_priority(3));
    EXPECT_EQ(publisher.running().settings.buffer.alpha_128, 256);
}

TEST_F(PublisherTest, a_port_that_is_down_pauses_nobody) {
    Publisher publisher = started(two_ports("", ", lossless: [3], admin_status: down"));
    EXPECT_EQ(publisher.effective().ports[1].pfc.lossless, 0);
    publisher.negotiated({{}, {.lossless = only_priority(5)}});
    EXPECT_EQ(published_.back().ports[1].pfc.lossless, 0);
    EXPECT_FALSE(published_.back().ports[1].enabled);
    ASSERT_TRUE(publisher.adopt(two_ports("", ", lossless: [3]"),
                                [] { return std::vector<Negotiated>(2); }));
    EXPECT_EQ(published_.back().ports[1].pfc.lossless, only_priority(3));
    EXPECT_TRUE(published_.back().ports[1].enabled);
}

TEST_F(PublisherTest, keeps_what_no_file_says) {
    Publisher publisher = started(two_ports());
    publisher.link_runs_at(1, 25_Gbps);
    ASSERT_TRUE(publisher.adopt(two_ports()));
    const Settings& settings = published_.back();
    EXPECT_EQ(settings.fdb.hash_seed, 77);
    EXPECT_EQ(settings.ports[0].address.bits, 0x02AA);
    EXPECT_EQ(settings.ports[1].speed, 25_Gbps);
}

TEST_F(PublisherTest, a_written_speed_wins_over_the_links) {
    Publisher publisher = started(two_ports("", ", speed: 40G"));
    publisher.link_runs_at(1, 25_Gbps);
    EXPECT_TRUE(published_.empty());
    EXPECT_EQ(publisher.running().settings.ports[1].speed, 40_Gbps);
    ASSERT_TRUE(publisher.adopt(two_ports()));
    EXPECT_EQ(published_.back().ports[1].speed, 25_Gbps);
}

TEST_F(PublisherTest, a_link_that_keeps_its_speed_publishes_nothing) {
    Publisher publisher = started(two_ports());
    publisher.link_runs_at(0, 10_Gbps);
    EXPECT_TRUE(published_.empty());
}

// No headroom is written, so it is what the link needs: at ten times the speed, more.
TEST_F(PublisherTest, headroom_follows_the_speed_of_the_link) {
    Publisher publisher = started(two_ports("", ", lossless: [3]"));
    const Bytes before = publisher.running().settings.ports[1].pfc.headroom;
    publisher.link_runs_at(1, 100_Gbps);
    EXPECT_FALSE(publisher.short_of_headroom(1));
    EXPECT_GT(published_.back().ports[1].pfc.headroom, before * 5);
    ASSERT_TRUE(publisher.adopt(two_ports("", ", lossless: [3]")));
    EXPECT_GT(published_.back().ports[1].pfc.headroom, before * 5);
}

// XOFF and XON follow as well: the octets of a round trip, 20 us, at 100G.
TEST_F(PublisherTest, levels_follow_the_speed_of_the_link) {
    Publisher publisher = started(two_ports("", ", lossless: [3], pfc: {xoff: 200KiB}"));
    publisher.link_runs_at(0, 100_Gbps);
    publisher.link_runs_at(1, 100_Gbps);
    const PfcSettings& free = published_.back().ports[0].pfc;
    EXPECT_GT(free.xon, 240_KiB);
    EXPECT_EQ(free.xoff, free.xon * 2);
    const PfcSettings& written = published_.back().ports[1].pfc;
    EXPECT_EQ(written.xoff, 200_KiB);
    EXPECT_EQ(written.xon, 100_KiB);
}

// At 10G the round trip asks for more than this XON, at 1G for less.
TEST_F(PublisherTest, a_slower_link_does_not_bring_xoff_below_a_written_xon) {
    Publisher publisher =
        started(two_ports("", ", lossless: [3], pfc: {xon: 200KiB, response: 100us}"));
    publisher.link_runs_at(1, 1_Gbps);
    const PfcSettings& slow = published_.back().ports[1].pfc;
    EXPECT_EQ(slow.xon, 200_KiB);
    EXPECT_EQ(slow.xoff, 264_KiB) << "a round trip above, 64 KiB at least";
    ASSERT_TRUE(publisher.adopt(two_ports("", ", lossless: [3], pfc: {xon: 300KiB}")));
    EXPECT_EQ(published_.back().ports[1].pfc.xoff, 364_KiB);
}

TEST_F(PublisherTest, a_headroom_that_the_buffer_does_not_have_is_reported) {
    Publisher publisher = started(two_ports("buffer: {size: 512KiB}\n", ", lossless: [3]"));
    const Bytes before = publisher.running().settings.ports[1].pfc.headroom;
    publisher.link_runs_at(1, 400_Gbps);
    EXPECT_TRUE(publisher.short_of_headroom(1));
    EXPECT_EQ(published_.back().ports[1].pfc.headroom, before);
    EXPECT_EQ(published_.back().ports[1].speed, 400_Gbps);
    EXPECT_FALSE(publisher.short_of_headroom(0));  // nothing there is lossless
}

// The written headroom was enough for the speed that the file assumed.
TEST_F(PublisherTest, a_written_headroom_that_the_link_outgrows_is_reported) {
    Publisher publisher = started(two_ports("", ", lossless: [3], pfc: {headroom: 128KiB}"));
    EXPECT_FALSE(publisher.short_of_headroom(1));
    publisher.link_runs_at(1, 100_Gbps);
    EXPECT_TRUE(publisher.short_of_headroom(1));
    EXPECT_EQ(published_.back().ports[1].pfc.headroom, 128_KiB);
}

TEST_F(PublisherTest, a_relay_delay_that_is_why_headroom_is_short_is_named) {
    Publisher publisher = started(two_ports(
        "", ", lossless: [3], pfc: {headroom: 1MiB, response: 10us, relay_delay: 100us}"));
    publisher.link_runs_at(1, 25_Gbps);
    ASSERT_TRUE(publisher.short_of_headroom(1));
    const std::string why = publisher.shortage_of_headroom(1);
    EXPECT_TRUE(why.starts_with("for the pfc.relay_delay of 100us at 25G its lossless")) << why;
    publisher.link_runs_at(1, 400_Gbps);
    EXPECT_TRUE(publisher.shortage_of_headroom(1).starts_with("at 400G its lossless"))
        << "it would be short without";
}

std::vector<Negotiated> of_port_1(Negotiated agreed) { return {{}, std::move(agreed)}; }
const dcbx::Ets shared_by_two{.class_of = {0, 1, 1, 1, 1, 1, 1, 1},
                              .bandwidth = {20, 80},
                              .selection = {dcbx::Selection::ets, dcbx::Selection::ets}};

TEST_F(PublisherTest, what_is_agreed_on_holds_at_once_and_whole) {
    Publisher publisher = started(two_ports("", ", lossless: [4]"));
    publisher.negotiated(of_port_1({.lossless = 0x08, .ets = shared_by_two}));
    ASSERT_EQ(published_.size(), 1);
    const PortSettings& port = published_[0].ports[1];
    EXPECT_EQ(port.pfc.lossless, 0x08);
    EXPECT_EQ(port.scheduler.discipline[0], Discipline::dwrr);
    EXPECT_EQ(port.scheduler.weight[0], 1);
    EXPECT_EQ(published_[0].ports[0].pfc.lossless, 0);
    EXPECT_EQ(publisher.effective().ports[1].pfc.lossless, 0x08);
    EXPECT_EQ(publisher.running().settings.ports[1].pfc.lossless, 0x10) << "as it is written";
}

TEST_F(PublisherTest, a_priority_that_one_end_keeps_no_more_is_not_relayed) {
    config::Configuration relayed = two_ports("", ", lossless: [3, 4]");
    for (const PortIndex port : {PortIndex{0}, PortIndex{1}}) {
        PfcSettings& pfc = relayed.settings.ports[port].pfc;
        pfc.lossless = 0x18;
        pfc.relay = {.to = static_cast<PortIndex>(1 - port), .priorities = 0x18};
    }
    Publisher publisher = started(relayed);
    publisher.negotiated(of_port_1({.lossless = 0x08}));
    ASSERT_EQ(published_.size(), 1);
    EXPECT_EQ(published_[0].ports[0].pfc.relay.priorities, 0x08);
    EXPECT_EQ(published_[0].ports[1].pfc.relay.priorities, 0x08);
    publisher.negotiated({{}, {}});
    EXPECT_EQ(published_[1].ports[0].pfc.relay.priorities, 0x18);
}

TEST_F(PublisherTest, what_is_agreed_on_again_is_not_published_again) {
    Publisher publisher = started(two_ports());
    publisher.negotiated({{}, {}});
    EXPECT_TRUE(published_.empty());
    publisher.negotiated(of_port_1({.lossless = 0x08}));
    publisher.negotiated(of_port_1({.lossless = 0x08}));
    EXPECT_EQ(published_.size(), 1);
}

TEST_F(PublisherTest, nothing_is_left_of_an_agreement_that_ends) {
    Publisher publisher =
        started(two_ports("", ", lossless: [4], scheduler: {dwrr: {0: 30, 4: 70}}"));
    publisher.negotiated(of_port_1({.lossless = 0x08, .ets = shared_by_two}));
    publisher.negotiated({{}, {}});
    const PortSettings& port = published_.back().ports[1];
    EXPECT_EQ(port.pfc.lossless, 0x10);
    EXPECT_EQ(port.scheduler.weight[4], 70);
    EXPECT_EQ(port.scheduler.discipline[1], Discipline::strict);
}

TEST_F(PublisherTest, an_agreement_outlives_new_settings_and_links) {
    Publisher publisher = started(two_ports());
    publisher.negotiated(of_port_1({.lossless = 0x08}));
    ASSERT_TRUE(publisher.adopt(two_ports("", ", lossless: [4]")));
    EXPECT_EQ(published_.back().ports[1].pfc.lossless, 0x08);
    publisher.link_runs_at(1, 100_Gbps);
    EXPECT_EQ(published_.back().ports[1].pfc.lossless, 0x08);
    EXPECT_FALSE(publisher.short_of_headroom(1));
}

TEST_F(PublisherTest, without_room_for_headroom_priorities_stay_as_they_are_written) {
    Publisher publisher = started(two_ports("buffer: {size: 512KiB}\n", ", lossless: [4]"));
    publisher.negotiated(of_port_1({.lossless = 0xFF, .ets = shared_by_two}));
    EXPECT_EQ(publisher.without_room(), only(1));
    EXPECT_EQ(published_.back().ports[1].pfc.lossless, 0x10);
    EXPECT_EQ(published_.back().ports[1].scheduler.weight[0], 1) << "the rest holds";
    publisher.negotiated(of_port_1({.lossless = 0x08}));
    EXPECT_EQ(publisher.without_room(), 0);
}

constexpr const char* with_room_for_one_agreement = "buffer: {size: 1MiB}\n";
constexpr const char* far_away = ", lossless: [4], speed: 10G, pfc: {headroom: 100KiB}";

config::Configuration two_ports_far_away() {
    return read(fmt::format("ports:\n- {{device: 'null:1'{0}}}\n- {{device: 'null:2'{0}}}\n{1}",
                            far_away, with_room_for_one_agreement));
}

TEST_F(PublisherTest, a_peer_cannot_take_the_headroom_of_an_agreement_in_force) {
    Publisher publisher = started(two_ports_far_away());
    publisher.negotiated({{}, {.lossless = 0x7E}});
    ASSERT_EQ(publisher.without_room(), 0);
    publisher.negotiated({{.lossless = 0x7E}, {.lossless = 0x7E}});
    EXPECT_EQ(publisher.without_room(), only(0));
    EXPECT_EQ(published_.back().ports[1].pfc.lossless, 0x7E);
    publisher.negotiated({{.lossless = 0x7E}, {.lossless = 0x7E, .ets = shared_by_two}});
    EXPECT_EQ(publisher.without_room(), only(0)) << "and asking again does not help";
    publisher.negotiated({{.lossless = 0x7E}, {}});
    EXPECT_EQ(publisher.without_room(), 0);
}

// Port 0 comes first by its number, and port 1 frees the room that it needs.
TEST_F(PublisherTest, who_gives_headroom_back_makes_room_for_others_at_once) {
    Publisher publisher = started(two_ports_far_away());
    publisher.negotiated({{}, {.lossless = 0x7E}});
    publisher.negotiated({{.lossless = 0x7E}, {.lossless = 0x08}});
    EXPECT_EQ(publisher.without_room(), 0);
    EXPECT_EQ(published_.back().ports[0].pfc.lossless, 0x7E);
    EXPECT_EQ(published_.back().ports[1].pfc.lossless, 0x08);
}

TEST_F(PublisherTest, the_side_that_decides_is_that_of_the_ports_that_pause) {
    Publisher publisher =
        started(read("ports:\n"
                     "- {device: 'null:1', lossless: [3], pfc: {trigger: egress}}\n"
                     "- {device: 'null:2'}\n"));
    publisher.negotiated(of_port_1({.lossless = 0x08}));
    EXPECT_EQ(published_.back().ports[1].pfc.trigger, PauseTrigger::egress);
}

// --- who may pause ---

TEST_F(PublisherTest, a_strict_port_obeys_the_neighbour_as_long_as_it_is_there) {
    Publisher publisher = started(two_ports("", ", pfc: {strict: true, peer: 02:00:00:00:00:0A}"));
    const auto obeyed = [&] {
        const auto named = published_.back().ports[1].pfc.peers.named();
        return std::vector<MacAddress>(named.begin(), named.end());
    };
    const MacAddress written{0x02000000000A};
    publisher.neighbours({{{0x0B}}, {{0x0C}, {0x0D}}});
    ASSERT_EQ(published_.size(), 1U);
    EXPECT_EQ(obeyed(), (std::vector<MacAddress>{written, {0x0C}, {0x0D}}));
    EXPECT_TRUE(published_[0].ports[0].pfc.peers.anybody());
    publisher.neighbours({{}, {{0x0C}, {0x0D}}});
    EXPECT_EQ(published_.size(), 1U) << "the other port is not strict";
    publisher.negotiated(of_port_1({.lossless = 0x08}));
    EXPECT_EQ(obeyed().size(), 3U);
    publisher.neighbours({{}, {}});
    EXPECT_EQ(obeyed(), std::vector<MacAddress>{written});
    EXPECT_EQ(publisher.running().settings.ports[1].pfc.peers.named().size(), 1U);
}

TEST_F(PublisherTest, a_port_that_becomes_strict_knows_its_neighbour) {
    Publisher publisher = started(two_ports());
    publisher.neighbours({{}, {{0x0C}}});
    EXPECT_TRUE(published_.empty());
    ASSERT_TRUE(publisher.adopt(two_ports("", ", pfc: {strict: true}")));
    EXPECT_TRUE(published_.back().ports[1].pfc.peers.obeys({0x0C}));
    EXPECT_FALSE(published_.back().ports[1].pfc.peers.obeys({0x0B}));
}

struct Unchangeable {
    const char* name;
    const char* more;
    const char* of_b;
    const char* starts_with;
};
class PublisherRefuses : public PublisherTest, public testing::WithParamInterface<Unchangeable> {};

TEST_P(PublisherRefuses, what_needs_a_restart_and_publishes_nothing) {
    Publisher publisher = started(two_ports());
    const auto adopted = publisher.adopt(two_ports(GetParam().more, GetParam().of_b));
    ASSERT_FALSE(adopted);
    ASSERT_EQ(adopted.error().size(), 1);
    EXPECT_EQ(adopted.error()[0].rfind(GetParam().starts_with, 0), 0) << adopted.error()[0];
    EXPECT_TRUE(published_.empty());
}

INSTANTIATE_TEST_SUITE_P(Keys, PublisherRefuses,
                         testing::Values(Unchangeable{"size", "buffer: {size: 8MiB}\n", "",
                                                      "next.yaml:4:16: buffer.size: "},
                                         Unchangeable{"cores", "workers: {cores: [1]}\n", "",
                                                      "next.yaml:4:18: workers.cores: "},
                                         Unchangeable{"mtu", "", ", mtu: 1400",
                                                      "next.yaml:3:36: ports[1].mtu: "}),
                         [](const auto& key) { return key.param.name; });

TEST_F(PublisherTest, names_every_key_that_needs_a_restart) {
    Publisher publisher = started(two_ports());
    const auto adopted = publisher.adopt(two_ports("buffer: {size: 8MiB, cell: 512B}\n"));
    ASSERT_FALSE(adopted);
    EXPECT_EQ(adopted.error().size(), 2);
}

}  // namespace
}  // namespace sluice::control
