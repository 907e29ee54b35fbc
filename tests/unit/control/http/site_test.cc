#include "control/http/site.h"

#include <gtest/gtest.h>

#include <chrono>
#include <regex>
#include <set>
#include <thread>

#include "control/http/page.h"
#include "control/show/nouns.h"
#include "tests/unit/control/driven_switch.h"

namespace sluice::control::http {
namespace {

class SiteTest : public testing::Test {
  protected:
    Response get(const std::string& target,
                 const std::string& fields = "Host: 127.0.0.1:9475\r\n") {
        const auto request = parse_head("GET " + target + " HTTP/1.1\r\n" + fields + "\r\n");
        EXPECT_TRUE(request);
        return site_.answer(*request);
    }
    SiteSources sources() {
        return {.show = [this](std::string_view noun, bool all) { return two_.show(noun, all); },
                .show_growing = [this](std::string_view noun,
                                       bool all) { return two_.show(noun, all); },
                .select = [this](const ShowRequest& request) -> tl::expected<Json, std::string> {
                    if (request.filter.names("none"))
                        return tl::unexpected<std::string>("none: no such port");
                    return filtered(request.noun, two_.show(request.noun, request.all),
                                    request.filter);
                },
                .totals = [this] { return totals(two_.view()); },
                .recording =
                    [this](uint64_t number, std::size_t from) {
                        std::this_thread::sleep_for(page_takes_);
                        return number == 1 ? Json{{"recording", 1}, {"from", from}} : Json();
                    },
                .events = two_.events,
                .metrics = [this]() -> const config::MetricsConfig& { return metrics_; }};
    }

    std::chrono::milliseconds page_takes_{0};
    DrivenSwitch two_{2};
    config::MetricsConfig metrics_;
    Site site_{sources(), true};
};

TEST_F(SiteTest, has_metrics_of_a_running_switch) {
    two_.receive(0, 0x020000000001, 0x020000000002);
    const Response response = get("/metrics");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.type, "text/plain; version=0.0.4; charset=utf-8");
    for (const char* line : {"\nsluice_port_receive_frames_total{port=\"p0\"} 1\n",
                             "\nsluice_port_up{port=\"p1\"} 1\n", "\nsluice_fdb_entries 1\n",
                             "\nsluice_queue_frames{output=\"p1\",priority=\"0\"} 1\n",
                             "\nsluice_dropped_frames_total{port=\"p1\",reason=\"runt\"} 0\n"}) {
        EXPECT_NE(response.body->find(line), std::string::npos) << line;
    }
}

TEST_F(SiteTest, shows_the_rows_that_are_asked_for) {
    const auto names = [&](const std::string& query) {
        const Response response = get("/api/show/ports" + query);
        EXPECT_EQ(response.status, 200) << *response.body;
        std::string all;
        for (const Json& row : Json::parse(*response.body))
            all += row.at("name").get<std::string>();
        return all;
    };
    EXPECT_EQ(names(""), "p0p1");
    EXPECT_EQ(names("?port=p1"), "p1");
    EXPECT_EQ(names("?port=p1&port=p0&all=true"), "p0p1");
    const auto refusal = [&](const std::string& target) {
        const Response response = get(target);
        EXPECT_EQ(response.status, 400) << target;
        return *response.body;
    };
    EXPECT_EQ(refusal("/api/show/ports?vlan=1"),
              "vlan: ports has no rows by this key; it can be filtered by port, address\n");
    EXPECT_EQ(refusal("/api/show/ports?port=none"), "none: no such port\n");
    EXPECT_EQ(refusal("/api/show/ports?port=none"), "none: no such port\n") << "nor is that kept";
    EXPECT_EQ(refusal("/api/show/fdb?vlan=x"), "vlan: no VLAN; a number from 1 to 4094\n");
    EXPECT_EQ(refusal("/api/show/fdb?vlan=1&vlan=2"), "vlan: given twice; write it once\n");
    EXPECT_EQ(refusal("/api/show/pfc?priority=8"), "priority: no priority; a number from 0 to 7\n");
}

TEST_F(SiteTest, turns_too_many_different_questions_away) {
    int turned_away = 0;
    for (int vlan = 1; vlan <= 100; ++vlan) {
        const Response response = get("/api/show/fdb?vlan=" + std::to_string(vlan));
        turned_away += response.status == 503 ? 1 : 0;
    }
    EXPECT_GE(turned_away, 1);
}

TEST_F(SiteTest, wants_the_token_where_there_is_one) {
    Site guarded(sources(), true, AccessToken("0123456789abcdef"));
    const auto status = [&](const std::string& fields) {
        return guarded
            .answer(*parse_head("GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n"))
            .status;
    };
    EXPECT_EQ(status(""), 401);
    EXPECT_EQ(status("Authorization: Bearer 0123456789abcdee\r\n"), 401);
    EXPECT_EQ(status("Authorization: Bearer 0123456789abcdef\r\n"), 200);
}

TEST_F(SiteTest, describes_all_that_it_answers_for_programs) {
    const Response response = get("/api/openapi.json");
    EXPECT_EQ(response.type, "application/json");
    const Json document = Json::parse(*response.body);
    EXPECT_EQ(document.at("openapi"), "3.1.0");
    std::set<std::string> ids;
    for (const auto& [described_path, methods] : document.at("paths").items()) {
        const std::string path = described_path.substr(0, described_path.find('{')) +
                                 (described_path.ends_with('}') ? "1" : "");
        EXPECT_EQ(get(path).status, 200) << path;
        const Json& described = methods.at("get");
        EXPECT_TRUE(ids.insert(described.at("operationId")).second) << path;
        EXPECT_NE(described.at("summary"), "") << path;
        for (const Json& parameter : described.at("parameters")) {
            if (parameter.at("in") == "path") continue;
            const std::string word = parameter.at("schema").at("type") == "integer"   ? "1000"
                                     : parameter.at("schema").at("type") == "boolean" ? "true"
                                                                                      : "ports";
            const Json example = parameter.value("example", Json(word));
            const std::string value =
                example.is_string() ? example.get<std::string>() : example.dump();
            const std::string asked = parameter.at("name").get<std::string>() + '=' + value;
            EXPECT_EQ(get(path + '?' + asked).status, 200) << path << asked;
        }
    }
    for (const Noun& noun : nouns) {
        EXPECT_EQ(ids.count("show_" + std::string(noun.name)), 1U) << noun.name;
    }
}

TEST_F(SiteTest, answers_pages_of_recordings) {
    EXPECT_EQ(Json::parse(*get("/api/recording/1?from=2000").body).at("from"), 2000);
    EXPECT_EQ(get("/api/recording/2").status, 404);
    EXPECT_EQ(get("/api/recording/").status, 404);
    EXPECT_EQ(get("/api/recording/1x").status, 404);
    EXPECT_EQ(get("/api/recording/1?from=-1").status, 400);
    EXPECT_EQ(get("/api/recording/1?to=7").status, 400);
}

// Each takes a twentieth of the time while it is fresh, a second here, and all a quarter.
TEST_F(SiteTest, turns_pages_away_that_take_too_long_together) {
    page_takes_ = std::chrono::milliseconds(50);
    int answered = 0;
    for (int page = 0; page < 8; ++page) {
        const int status = get("/api/recording/1?from=" + std::to_string(page)).status;
        EXPECT_TRUE(status == 200 || status == 503) << status;
        answered += status == 200 ? 1 : 0;
    }
    EXPECT_GE(answered, 4);
    EXPECT_LE(answered, 6);
    EXPECT_EQ(get("/api/recording/1?from=0").status, 200) << "it is there";
}

TEST_F(SiteTest, speaks_openmetrics_to_who_asks_for_it) {
    const Response response = get(
        "/metrics",
        "Host: a.example\r\nHost2: x\r\nAccept: application/openmetrics-text;version=1.0.0\r\n");
    EXPECT_EQ(response.status, 421) << "no name of this machine";
    EXPECT_EQ(get("/metrics", "Host: localhost\r\nAccept: application/openmetrics-text\r\n").type,
              "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

TEST_F(SiteTest, answers_names_of_others_where_others_can_reach_it) {
    Site open(sources(), false);
    const auto request = parse_head("GET /metrics HTTP/1.1\r\nHost: leaf1.example:9475\r\n\r\n");
    EXPECT_EQ(open.answer(*request).status, 200);
    for (const char* own : {"localhost", "localhost:1", "[::1]:9475", "192.0.2.1", ""}) {
        EXPECT_EQ(get("/metrics", "Host: " + std::string(own) + "\r\n").status, 200) << own;
    }
    for (const char* other : {"evil.example", "localhost.evil.example:9475", "[evil]:1"}) {
        EXPECT_EQ(get("/metrics", "Host: " + std::string(other) + "\r\n").status, 421) << other;
    }
}

TEST_F(SiteTest, shows_what_sluice_show_does) {
    two_.receive(0, 0x020000000001, 0x020000000002);
    for (const Noun& noun : nouns) {
        if (noun.name == "ledger") continue;  // counts while it looks
        const Response response = get("/api/show/" + std::string(noun.name));
        EXPECT_EQ(response.type, "application/json");
        EXPECT_EQ(Json::parse(*response.body), two_.show(noun.name)) << noun.name;
    }
    EXPECT_EQ(Json::parse(*get("/api/show/queues?all=true").body), two_.show("queues", true));
    EXPECT_EQ(Json::parse(*get("/api/show/queues?all=false").body), two_.show("queues"));
}

TEST_F(SiteTest, shows_no_fdb_that_would_take_too_long) {
    SiteSources many = sources();
    many.totals = [] { return Json{{"fdb_entries", Site::most_addresses + 1}}; };
    many.show = [](std::string_view, bool) -> Json { throw std::logic_error("it was looked at"); };
    Site site(many, false);
    const auto request = parse_head("GET /api/show/fdb HTTP/1.0\r\n\r\n");
    EXPECT_EQ(site.answer(*request).status, 503);
}

TEST_F(SiteTest, feeds_events_from_now_on_or_from_where_a_reader_was) {
    two_.events.add({}, "started", "", "");
    two_.events.add({}, "link_up", "p0", "");
    const auto first = [&](const std::string& target, const std::string& fields = "") {
        const Response response = get(target, "Host: localhost\r\n" + fields);
        EXPECT_EQ(response.type, "text/event-stream");
        return response.feed->next(Clock::now()).substr(0, 5);
    };
    EXPECT_EQ(first("/api/events"), ": sti");
    EXPECT_EQ(first("/api/events?since=1"), "id: 2");
    EXPECT_EQ(first("/api/events?since=0"), "id: 1");
    EXPECT_EQ(first("/api/events?since=0", "Last-Event-ID: 1\r\n"), "id: 2");
    EXPECT_EQ(first("/api/events?show=ports,pfc&every=100"), "event");
}

// Each file that one of them names is there, and none of another place.
TEST_F(SiteTest, has_a_page_that_is_whole) {
    EXPECT_EQ(get("/").type, "text/html; charset=utf-8");
    std::set<std::string> named;
    for (const PageFile& file : page_files()) {
        EXPECT_EQ(*get(std::string(file.path)).body, file.text);
        const std::string text(file.text);
        const std::regex reference(R"re("(?:\./|/page/)([\w.]+)")re");
        for (std::sregex_iterator at(text.begin(), text.end(), reference), end; at != end; ++at) {
            named.insert("/page/" + at->str(1));
        }
        const std::regex elsewhere("https?://(?!www[.]w3[.]org/)");
        EXPECT_FALSE(std::regex_search(text, elsewhere)) << file.path;
    }
    EXPECT_EQ(named.size() + 2, page_files().size()) << "and the two pages";
    for (const std::string& path : named) EXPECT_EQ(get(path).status, 200) << path;
}

TEST_F(SiteTest, lets_a_page_of_another_origin_read_it_only_where_it_is_allowed) {
    const auto reader = [&](const std::string& origin,
                            const std::string& path = "/api/show/ports") {
        const Response response = get(path, "Host: localhost\r\nOrigin: " + origin + "\r\n");
        const std::string head = head_of(response, true);
        const bool says = head.find("Access-Control-Allow-Origin: " + response.allowed_origin +
                                    "\r\nVary: Origin\r\n") != std::string::npos;
        EXPECT_EQ(says, !response.allowed_origin.empty());
        EXPECT_EQ(head.find("Access-Control") == std::string::npos,
                  response.allowed_origin.empty());
        return response.allowed_origin;
    };
    EXPECT_EQ(reader("http://192.0.2.1:9475"), "");
    EXPECT_EQ(reader(""), "");
    metrics_.allow = {"http://192.0.2.2:9475", "http://192.0.2.1:9475"};
    EXPECT_EQ(reader("http://192.0.2.1:9475"), "http://192.0.2.1:9475");
    EXPECT_EQ(reader("http://192.0.2.1:9475", "/api/events?show=ports"), "http://192.0.2.1:9475");
    for (const char* other : {"http://192.0.2.1:9476", "http://192.0.2.1", "null", "*", ""}) {
        EXPECT_EQ(reader(other), "") << other;
    }
}

TEST_F(SiteTest, feeds_a_page_of_another_origin_only_as_long_as_it_is_allowed) {
    metrics_.allow = {"http://192.0.2.1:9475"};
    const auto feed = [&](const std::string& fields) {
        return get("/api/events?show=ports&every=100", "Host: localhost\r\n" + fields).feed;
    };
    const auto other = feed("Origin: http://192.0.2.1:9475\r\n");
    const auto own = feed("");
    Clock::time_point now = Clock::now();
    EXPECT_NE(other->next(now), "");
    EXPECT_FALSE(other->is_over());
    EXPECT_NE(own->next(now), "");
    metrics_.allow = {};
    now += std::chrono::seconds(1);
    EXPECT_EQ(other->next(now), "");
    EXPECT_TRUE(other->is_over());
    EXPECT_NE(own->next(now), "");
    EXPECT_FALSE(own->is_over());
}

TEST_F(SiteTest, has_a_page_that_reads_the_switches_of_its_settings) {
    EXPECT_EQ(*get("/api/topology").body, "[]");
    EXPECT_EQ(get("/topology").type, "text/html; charset=utf-8");
    EXPECT_EQ(get("/topology").connect_sources, "");
    metrics_.others = {{"leaf2", "http://192.0.2.2:9475"}, {"spine", "https://spine.example"}};
    EXPECT_EQ(Json::parse(*get("/api/topology").body),
              (Json{{{"name", "leaf2"}, {"url", "http://192.0.2.2:9475"}},
                    {{"name", "spine"}, {"url", "https://spine.example"}}}));
    EXPECT_NE(head_of(get("/topology"), true)
                  .find("connect-src 'self' http://192.0.2.2:9475 https://spine.example; "),
              std::string::npos);
    EXPECT_NE(head_of(get("/"), true).find("connect-src 'self'; "), std::string::npos);
}

TEST_F(SiteTest, reports_what_has_no_effect) {
    for (const char* wrong :
         {"/api/events?since=x", "/api/events?since=-1", "/api/events?show=portz",
          "/api/events?show=ports,ports", "/api/events?show=fdb", "/api/events?show=,",
          "/api/events?every=99", "/api/events?every=1s", "/api/events?x=1",
          "/api/show/ports?all=1", "/api/show/ports?x=1"}) {
        EXPECT_EQ(get(wrong).status, 400) << wrong;
    }
    EXPECT_EQ(get("/api/show/portz").status, 404);
    EXPECT_EQ(get("/api/show/").status, 404);
}

TEST_F(SiteTest, reports_what_is_not_there) {
    EXPECT_EQ(get("/nothing").status, 404);
    EXPECT_EQ(get("/metrics/").status, 404);
    EXPECT_EQ(get("/metrics?name=x").status, 400);
}

}  // namespace
}  // namespace sluice::control::http
