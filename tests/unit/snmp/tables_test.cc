#include "tools/snmp/tables.h"

#include <gtest/gtest.h>

#include "control/if_index.h"

namespace sluice::snmp {
namespace {

// A switch whose answers a test sets, and which counts the requests.
struct Told {
    std::map<std::string, Json> nouns;
    bool answers = true;
    std::string silent_on;  // this noun
    unsigned asked = 0;

    std::optional<Json> operator()(const Json& request) {
        ++asked;
        const auto noun = request.at("show").get<std::string>();
        return answers && noun != silent_on ? std::optional(nouns[noun]) : std::nullopt;
    }
    void port(const char* name, const char* link, uint64_t frames) {
        nouns["ports"] = {{{"name", name},
                           {"index", 0},
                           {"if_index", control::hashed_if_index(name)},
                           {"link", link},
                           {"admin_status", "up"},
                           {"rx_frames", frames}}};
    }
};

struct Asked {
    Told told;
    Tables tables{[this](const Json& request) { return told(request); }};
    Now now{.steady_ms = 5000, .sys_up_time = 100};

    Asked() {
        told.nouns["version"] = {{"up_since", "then"}};
        told.port("p0", "up", 10);
    }
    void later() {
        now.steady_ms += Tables::stays_ms;
        now.sys_up_time += 100;
    }
    uint64_t value(uint32_t column, const Oid& entry = {1, 3, 6, 1, 2, 1, 2, 2, 1}) {
        const Value* found = tables.part(Tables::Part::interfaces, now)
                                 .find(joined(entry, {column, control::hashed_if_index("p0")}));
        return found == nullptr ? ~uint64_t{0} : found->number;
    }
    uint64_t discontinuity() { return value(19, {1, 3, 6, 1, 2, 1, 31, 1, 1, 1}); }
};

constexpr uint32_t oper_status = 8, last_change = 9, in_frames = 11, in_discards = 13;

TEST(Tables, AskOnceASecondHoweverOftenTheyAreRead) {
    Asked at;
    EXPECT_EQ(at.value(in_frames), 10U);
    const unsigned asked = at.told.asked;
    at.told.port("p0", "up", 20);
    EXPECT_EQ(at.value(in_frames), 10U);
    EXPECT_EQ(at.told.asked, asked);
    at.later();
    EXPECT_EQ(at.value(in_frames), 20U);
}

TEST(Tables, AChangeHasItsTimeOnceSomebodyLooked) {
    Asked at;
    EXPECT_EQ(at.value(last_change), 0U);
    at.later();
    at.told.port("p0", "down", 10);
    EXPECT_EQ(at.value(oper_status), 2U);
    EXPECT_EQ(at.value(last_change), 200U);
    at.later();
    EXPECT_EQ(at.value(last_change), 200U);
}

TEST(Tables, CountersThatBeginAgainHaveADiscontinuity) {
    Asked at;
    EXPECT_EQ(at.discontinuity(), 0U);
    at.later();
    at.told.port("p0", "up", 5);
    EXPECT_EQ(at.discontinuity(), 200U);
    at.later();
    at.told.port("p0", "up", 6);
    at.told.nouns["version"] = {{"up_since", "now"}};
    EXPECT_EQ(at.discontinuity(), 300U) << "more frames than before, of another sluiced";
    at.later();
    EXPECT_EQ(at.discontinuity(), 300U);
}

// The switch hangs after a part of its answers.
TEST(Tables, CountersThatNobodyAnswersStayAsTheyWere) {
    Asked at;
    at.told.nouns["counters"] = {{{"port", "p0"}, {"rx_drp", 7}}};
    EXPECT_EQ(at.value(in_discards), 7U);
    for (const char* noun : {"counters", "version"}) {
        at.later();
        at.told.silent_on = noun;
        EXPECT_EQ(at.value(in_discards), 7U) << noun;
        EXPECT_EQ(at.discontinuity(), 0U) << noun;
    }
    at.later();
    at.told.silent_on = "";
    EXPECT_EQ(at.value(in_discards), 7U);
    EXPECT_EQ(at.discontinuity(), 0U);
}

TEST(Tables, ASwitchThatDoesNotAnswerHasInterfacesThatAreNotPresent) {
    Asked at;
    EXPECT_EQ(at.value(oper_status), 1U);
    EXPECT_FALSE(at.tables.part(Tables::Part::bridge, at.now).all().empty());
    at.later();
    at.told.answers = false;
    EXPECT_EQ(at.value(oper_status), 1U) << "a restart takes as long";
    EXPECT_FALSE(at.tables.part(Tables::Part::bridge, at.now).all().empty());
    at.now = {.steady_ms = 5000 + Tables::grace_ms, .sys_up_time = 600};
    EXPECT_EQ(at.value(oper_status), 6U);
    EXPECT_EQ(at.value(last_change), 600U);
    EXPECT_EQ(at.value(in_frames), 10U);
    EXPECT_TRUE(at.tables.part(Tables::Part::bridge, at.now).all().empty());
    at.later();
    at.told.answers = true;
    EXPECT_EQ(at.value(oper_status), 1U);
    EXPECT_EQ(at.value(last_change), 700U);
    EXPECT_EQ(at.discontinuity(), 0U) << "it had only been away";
}

TEST(Tables, AnInterfaceThatComesOrGoesChangesTheTable) {
    Asked at;
    const auto table_changed = [&] {
        return at.tables.part(Tables::Part::interfaces, at.now)
            .find({1, 3, 6, 1, 2, 1, 31, 1, 5, 0})
            ->number;
    };
    EXPECT_EQ(table_changed(), 0U);
    at.later();
    at.told.port("other", "up", 0);
    EXPECT_EQ(table_changed(), 200U);
    at.later();
    EXPECT_EQ(table_changed(), 200U);
    EXPECT_EQ(at.value(in_frames), ~uint64_t{0});
}

}  // namespace
}  // namespace sluice::snmp
