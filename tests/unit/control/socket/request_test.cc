#include "control/socket/request.h"

#include <gtest/gtest.h>

namespace sluice::control {
namespace {

TEST(Request, show_names_a_noun) {
    const auto request = parse_request(R"({"show": "ports"})");
    ASSERT_TRUE(request);
    EXPECT_EQ(std::get<ShowRequest>(*request).noun, "ports");
    EXPECT_FALSE(std::get<ShowRequest>(*request).all);
    EXPECT_TRUE(std::get<ShowRequest>(*parse_request(R"({"show":"fdb","all":true})")).all);
}

TEST(Request, events_are_shown_from_where_a_reader_was) {
    const auto request = parse_request(R"({"show": "events", "since": 17})");
    ASSERT_TRUE(request);
    EXPECT_EQ(std::get<ShowRequest>(*request).since, 17U);
    EXPECT_FALSE(std::get<ShowRequest>(*parse_request(R"({"show": "events"})")).since);
}

TEST(Request, show_may_want_some_rows) {
    const auto request =
        parse_request(R"({"show":"fdb","ports":["a","b"],"vlan":7,"address":"02:00:00:00:00:01"})");
    ASSERT_TRUE(request);
    const ShowFilter& filter = std::get<ShowRequest>(*request).filter;
    EXPECT_EQ(filter.ports, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(filter.vlan, VlanId{7});
    EXPECT_EQ(filter.address, MacAddress{0x020000000001});
    for (const char* const wrong :
         {R"("vlan":0)", R"("vlan":4095)", R"("vlan":"1")", R"("ports":[])", R"("ports":"a")",
          R"("ports":[1])", R"("address":"x")", R"("address":7)", R"("priority":8)",
          R"("priority":3)"}) {
        EXPECT_FALSE(parse_request(std::string(R"({"show":"fdb",)") + wrong + "}")) << wrong;
    }
    EXPECT_EQ(parse_request(R"({"show":"ledger","ports":["a"]})").error(),
              "port: ledger has no rows by this key; leave it out");
}

TEST(Request, addresses_come_by_pages) {
    const auto page_of = [](const std::string& keys) {
        const auto request = parse_request(R"({"show":"fdb",)" + keys + "}");
        return request ? std::get<ShowRequest>(*request).page : std::nullopt;
    };
    EXPECT_EQ(page_of(R"("limit":10000)").value().vlan, 0U);
    const auto page = page_of(R"("limit":5,"after":{"vlan":7,"address":"02:00:00:00:00:01"})");
    EXPECT_EQ(page.value().limit, 5U);
    EXPECT_EQ(page.value().vlan, VlanId{7});
    EXPECT_EQ(page.value().address, MacAddress{0x020000000001});
    EXPECT_FALSE(page_of(R"("all":true)"));
    for (const char* const wrong :
         {R"("limit":0)", R"("limit":10001)", R"("limit":"1")", R"("limit":1,"after":7)",
          R"("limit":1,"after":{"vlan":7})", R"("limit":1,"after":{"vlan":0,"address":"1"})",
          R"("limit":1,"after":{"vlan":1,"address":"1","x":1})",
          R"("after":{"vlan":7,"address":"02:00:00:00:00:01"})"}) {
        EXPECT_FALSE(parse_request(std::string(R"({"show":"fdb",)") + wrong + "}")) << wrong;
    }
    EXPECT_FALSE(parse_request(R"({"show":"ports","limit":1})"));
}

TEST(Request, apply_carries_the_text) {
    const auto request = parse_request(R"({"apply": {"file": "a.yaml", "text": "x: 1\n"}})");
    ASSERT_TRUE(request);
    EXPECT_EQ(std::get<ApplyRequest>(*request).file, "a.yaml");
    EXPECT_EQ(std::get<ApplyRequest>(*request).text, "x: 1\n");
}

TEST(Request, apply_may_have_to_be_confirmed) {
    const auto within = [](const std::string& value) {
        const auto request =
            parse_request(R"({"apply": {"file": "a", "text": "", "confirm_s": )" + value + "}}");
        return request ? std::get<ApplyRequest>(*request).confirm_within.value().count() : -1;
    };
    EXPECT_EQ(within("1"), 1);
    EXPECT_EQ(within("3600"), 3600);
    for (const char* const wrong : {"0", "3601", "-1", "1.5", "true", R"("60")"}) {
        EXPECT_EQ(within(wrong), -1) << wrong;
    }
    EXPECT_TRUE(std::holds_alternative<ConfirmRequest>(*parse_request(R"({"confirm": true})")));
    EXPECT_FALSE(parse_request(R"({"confirm": 60})"));
}

TEST(Request, flush_is_of_the_fdb) {
    const auto all = std::get<FlushFdbRequest>(*parse_request(R"({"flush":"fdb"})"));
    EXPECT_FALSE(all.vlan || all.port);
    const auto vlan = std::get<FlushFdbRequest>(*parse_request(R"({"flush":"fdb","vlan":4094})"));
    EXPECT_EQ(vlan.vlan, 4094);
    EXPECT_FALSE(vlan.port);
    const auto port = std::get<FlushFdbRequest>(*parse_request(R"({"flush":"fdb","port":"p0"})"));
    EXPECT_EQ(port.port, "p0");
    EXPECT_FALSE(port.vlan);
}

TEST(Request, clear_is_of_counters_or_watermarks) {
    const auto watermarks = parse_request(R"({"clear":"watermarks"})");
    ASSERT_TRUE(watermarks);
    EXPECT_TRUE(std::holds_alternative<ClearWatermarksRequest>(*watermarks));
    EXPECT_FALSE(parse_request(R"({"clear":"watermarks","port":"p0"})"));
    const auto request = parse_request(R"({"clear":"counters"})");
    ASSERT_TRUE(request);
    EXPECT_TRUE(std::holds_alternative<ClearCountersRequest>(*request));
    EXPECT_FALSE(parse_request(R"({"clear":"fdb"})"));
    EXPECT_FALSE(parse_request(R"({"clear":"counters","port":"p0"})"));
}

struct Wrong {
    std::string line;
    const char* starts_with;
};
class WrongRequest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongRequest, is_answered_with_the_reason) {
    const auto request = parse_request(GetParam().line);
    ASSERT_FALSE(request);
    EXPECT_EQ(request.error().rfind(GetParam().starts_with, 0), 0) << request.error();
    EXPECT_EQ(request.error().find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, WrongRequest,
    testing::Values(Wrong{"", "request: not JSON"}, Wrong{"ports", "request: not JSON"},
                    Wrong{"[1]", "request: not JSON"}, Wrong{"{}", "request: no known request"},
                    Wrong{R"({"show": 1})",
                          "show: no such noun; one of version, ports, history, counters, queues"},
                    Wrong{R"({"show": "portz"})", "show: no such noun"},
                    Wrong{R"({"show": "ports", "al": true})", "show: other keys"},
                    Wrong{R"({"show": "ports", "all": 1})", "show: other keys"},
                    Wrong{R"({"show": "ports", "since": 1})", "show: other keys"},
                    Wrong{R"({"show": "events", "since": -1})", "show: other keys"},
                    Wrong{R"({"show": "events", "since": "1"})", "show: other keys"},
                    Wrong{R"({"show": "ports", "flush": "fdb"})", "show: other keys"},
                    Wrong{R"({"apply": "a.yaml"})", "apply: not a file"},
                    Wrong{R"({"apply": {"file": "a"}})", "apply: not a file"},
                    Wrong{R"({"apply": {"file": "a", "text": "", "x": 1}})", "apply: not a file"},
                    Wrong{R"({"apply": {"file": "a", "text": 1}})", "apply: not a file"},
                    Wrong{R"({"apply": {"text": "", "file": ")" + std::string(4097, 'a') + "\"}}",
                          "apply: a name of 4097 octets; one of up to 4096"},
                    Wrong{R"({"flush": "all"})", "flush: not something"},
                    Wrong{R"({"flush": "fdb", "now": 1})", "flush: not something"},
                    Wrong{R"({"flush": "fdb", "vlan": 0})", "vlan: no VLAN"},
                    Wrong{R"({"flush": "fdb", "vlan": 4095})", "vlan: no VLAN"},
                    Wrong{R"({"flush": "fdb", "vlan": -1})", "vlan: no VLAN"},
                    Wrong{R"({"flush": "fdb", "vlan": 1.5})", "vlan: no VLAN"},
                    Wrong{R"({"flush": "fdb", "vlan": "10"})", "vlan: no VLAN"},
                    Wrong{R"({"flush": "fdb", "port": 1})", "port: not a name"},
                    Wrong{R"({"flush": "fdb", "vlan": 1, "port": "p0"})", "flush: of a VLAN"}));

TEST(Request, orders_the_recorder) {
    using Order = RecordRequest::Order;
    const auto order_of = [](const char* line) {
        return std::get<RecordRequest>(*parse_request(line)).order;
    };
    EXPECT_EQ(order_of(R"({"record":"start"})"), Order::start);
    EXPECT_EQ(order_of(R"({"record":"stop"})"), Order::stop);
    EXPECT_EQ(order_of(R"({"record":"trigger"})"), Order::trigger);
    const auto page = parse_request(R"({"record":"dump","recording":7,"from":2000})");
    ASSERT_TRUE(page);
    EXPECT_EQ(std::get<DumpRecordingRequest>(*page).recording, 7U);
    EXPECT_EQ(std::get<DumpRecordingRequest>(*page).from, 2000U);
    for (const char* const wrong :
         {R"({"record":"begin"})", R"({"record":1})", R"({"record":"start","from":1})",
          R"({"record":"dump","recording":-1})", R"({"record":"dump","from":"0"})",
          R"({"record":"dump","to":1})"}) {
        EXPECT_EQ(parse_request(wrong).error().rfind("record: ", 0), 0U) << wrong;
    }
}

TEST(Request, names_the_ends_of_a_cable) {
    const auto request = parse_request(R"({"try_cable": ["p0", "p1"]})");
    ASSERT_TRUE(request);
    EXPECT_EQ(std::get<TryCableRequest>(*request).ports, (std::array<std::string, 2>{"p0", "p1"}));
    for (const char* line :
         {R"({"try_cable": "p0"})", R"({"try_cable": ["p0"]})", R"({"try_cable": ["p0", "p0"]})",
          R"({"try_cable": ["p0", 1]})", R"({"try_cable": ["a", "b", "c"]})",
          R"({"try_cable": ["a", "b"], "more": 1})"}) {
        const auto wrong = parse_request(line);
        ASSERT_FALSE(wrong) << line;
        EXPECT_EQ(wrong.error(), R"(try_cable: not two ports; {"try_cable": [NAME, OTHER NAME]})");
    }
}

TEST(Request, changes_what_it_has_read_and_says_what_it_saved) {
    EXPECT_TRUE(std::holds_alternative<SourceRequest>(*parse_request(R"({"source": true})")));
    EXPECT_EQ(std::get<SavedRequest>(*parse_request(R"({"saved": "a"})")).text, "a");
    const auto applied =
        parse_request(R"({"apply": {"file": "f", "text": "t", "number": 7, "change": "set a b"}})");
    ASSERT_TRUE(applied) << applied.error();
    EXPECT_EQ(std::get<ApplyRequest>(*applied).number, 7U);
    EXPECT_EQ(std::get<ApplyRequest>(*applied).change, "set a b");
    const auto refused = [](const std::string& line) { return parse_request(line).error(); };
    EXPECT_EQ(refused(R"({"source": 1})"), R"(source: not what it takes; {"source": true})");
    EXPECT_EQ(refused(R"({"saved": 1})"), R"(saved: not a text; {"saved": CONTENT})");
    EXPECT_EQ(refused(R"({"apply": {"file": "f", "text": "t", "number": -1}})"),
              "number: none; that of source");
    EXPECT_EQ(refused(R"({"apply": {"file": "f", "text": "t", "change": ")" +
                      std::string(201, 'x') + R"("}})"),
              "change: no text; what is done, in up to 200 octets");
}

TEST(Request, a_deep_one_costs_nothing) {
    EXPECT_FALSE(parse_request(std::string(60'000, '[')));
    EXPECT_FALSE(
        parse_request(R"({"show":)" + std::string(30'000, '[') + std::string(30'000, ']') + "}"));
}

}  // namespace
}  // namespace sluice::control
