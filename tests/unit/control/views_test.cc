#include "tools/sluice/views.h"

#include <gtest/gtest.h>

#include "config/loader.h"
#include "control/show/nouns.h"
#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/nulls.h"
#include "tools/sluice/client.h"
#include "tools/sluice/ports_view.h"

namespace sluice::cli {
namespace {

using control::DrivenSwitch;

// A switch that has something to say under every noun, so that every key a table wants is there.
DrivenSwitch& busy_switch() {
    static DrivenSwitch busy(
        3, [](Settings& settings) { settings.ports[0].pfc.lossless = only_priority(3); });
    static const bool driven = [] {
        busy.workers.push_back({.core = 1, .polls = 1000, .nanos_a_frame = 41.5});
        busy.events.add({}, "link_up", "p0", "10 Gb/s");
        busy.receive(0, 0x020000000001, 0x020000000002, 3);
        busy.forward();
        busy.receive(0, 0x020000000002, 0x020000000001);
        return true;
    }();
    EXPECT_TRUE(driven);
    return busy;
}

class EveryView : public testing::TestWithParam<control::Noun> {};

TEST_P(EveryView, renders_what_a_switch_answers) {
    const std::string_view noun = GetParam().name;
    const std::string text = render(noun, busy_switch().show(noun));
    EXPECT_GT(text.size(), 20) << text;
    EXPECT_EQ(text.back(), '\n');
}

TEST_P(EveryView, says_something_of_a_switch_that_did_nothing) {
    const std::string_view noun = GetParam().name;
    const std::string text = render(noun, DrivenSwitch(2).show(noun));
    EXPECT_GT(text.size(), 5) << text;
    EXPECT_EQ(text.back(), '\n');
}

TEST_P(EveryView, shows_any_field_that_there_is_none_of) {
    const std::string_view noun = GetParam().name;
    for_each_null(busy_switch().show(noun, true), [&](const Json& answer, const auto& which) {
        EXPECT_NO_THROW(render(noun, answer)) << which;
    });
}

TEST(BurstsView, names_who_fed_most_and_what_is_cut) {
    const auto fed = [](const char* port, int frames, int dropped) {
        return Json{{"port", port}, {"frames", frames}, {"dropped", dropped}};
    };
    const Json burst = {
        {"recording", 4},
        {"trigger", "depth"},
        {"at", "2026-11-29T10:55:02.560368Z"},
        {"port", "out"},
        {"priority", 3},
        {"length_ns", 471991},
        {"peak_bytes", 59224},
        {"frames", 91},
        {"dropped", 7},
        {"marked", 0},
        {"xoffs", 2},
        {"began_before", false},
        {"goes_on", true},
        {"fed_by", {fed("a", 60, 7), fed("b", 20, 0), fed("c", 10, 0), fed("d", 1, 0)}}};
    const std::string text = render("bursts", Json::array({burst}));
    EXPECT_NE(text.find("a 67, b 20, c 10, ..."), std::string::npos) << text;
    EXPECT_NE(text.find("end"), std::string::npos) << text;
    Sheet narrow({80});
    for (const char* column : {"PORT", "LENGTH", "PEAK", "DROPPED"}) {
        EXPECT_NE(render("bursts", Json::array({burst}), narrow).find(column), std::string::npos);
    }
}

// Longest line of a text.
std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    return longest;
}

TEST_P(EveryView, keeps_to_the_width_of_a_terminal) {
    const std::string_view noun = GetParam().name;
    if (noun == "config") return;  // a file is as it is
    for (const std::size_t width : {120U, 80U, 60U, 40U}) {
        Sheet sheet({width});
        const std::string text = render(noun, busy_switch().show(noun, true), sheet);
        EXPECT_LE(longest_line(text), width) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Nouns, EveryView, testing::ValuesIn(control::nouns), [](const auto& noun) {
    std::string name(noun.param.name);
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(Views, drops_are_a_table_or_a_sentence) {
    EXPECT_EQ(render("drops", busy_switch().show("drops")),
              "REASON     PORT  SIDE     FRAMES\n"
              "same_port  p0    ingress       1\n");
    EXPECT_EQ(render("drops", Json::array()), "Nothing was dropped; --all shows every reason.\n");
}

TEST(Views, the_ledger_is_an_equation) {
    EXPECT_EQ(render("ledger", busy_switch().show("ledger")),
              "2 received + 1 copied + 0 generated\n"
              "= 2 sent + 1 dropped + 0 waiting: balanced\n");
}

TEST(Views, the_ledger_is_not_judged_in_motion) {
    Json result = busy_switch().show("ledger");
    result["balanced"] = nullptr;
    EXPECT_EQ(render("ledger", result),
              "2 received + 1 copied + 0 generated\n"
              "= 2 sent + 1 dropped + 0 waiting: in motion; it is settled once frames stop\n");
    result["balanced"] = false;
    EXPECT_EQ(render("ledger", result),
              "2 received + 1 copied + 0 generated\n"
              "= 2 sent + 1 dropped + 0 waiting: DOES NOT BALANCE\n");
}

TEST(Views, the_ledger_says_what_was_trimmed) {
    Json result = busy_switch().show("ledger");
    result["trimmed"] = 2;
    EXPECT_EQ(render("ledger", result),
              "2 received + 1 copied + 0 generated\n"
              "= 2 sent + 1 dropped + 0 waiting: balanced\n"
              "2 of these trimmed\n");
}

TEST(Views, rates_are_differences_over_time) {
    DrivenSwitch two(2);
    const Json before = two.show("ports");
    for (int n = 0; n < 4; ++n) two.receive(0, 0x020000000001, 0x020000000002);
    Sheet sheet;
    EXPECT_EQ(render_rates(before, two.show("ports"), 2.0, sheet),
              "PORT  LINK          RX  RX FRAMES     TX  TX FRAMES  DROPPED  SINCE START\n"
              "p0    up    1.024 kb/s        2/s  0 b/s        0/s      0/s            0\n"
              "p1    up         0 b/s        0/s  0 b/s        0/s      0/s            0\n");
}

TEST(Client, looks_where_a_configuration_puts_the_socket_by_default) {
    const auto configuration = config::load_text("ports: [{device: 'null:'}]", "test");
    ASSERT_TRUE(configuration);
    EXPECT_EQ(configuration->control.socket, default_socket);
}

TEST(Client, says_what_to_do_where_nobody_answers) {
    const auto client = Client::connect("/nowhere/sluice.sock");
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().status, 1);
    EXPECT_EQ(client.error().lines,
              std::vector<std::string>{
                  "/nowhere/sluice.sock: no sluiced answers there (No such file or directory); "
                  "start it with `sluiced -c FILE`, or name its socket with --socket PATH"});
}

}  // namespace
}  // namespace sluice::cli
