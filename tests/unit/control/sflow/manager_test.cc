// sFlow with a switch under it, and collectors that are sockets of this test.
#include "control/sflow/manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "config/loader.h"
#include "control/if_index.h"
#include "dataplane/shard.h"
#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/listener.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;

uint32_t word(const std::vector<uint8_t>& datagram, std::size_t number) {
    uint32_t value = 0;
    for (std::size_t octet = 0; octet < 4; ++octet) {
        value = value << 8 | datagram.at(number * 4 + octet);
    }
    return value;
}
constexpr std::size_t agent_at = 2;  // in words
constexpr std::size_t count_at = 6;
constexpr std::size_t sample_at = 7;

config::Configuration configured(const std::string& sflow) {
    auto configuration = config::load_text(
        "ports: [{device: 'ring:a'}, {device: 'ring:b'}, {device: 'ring:c'}]\n" + sflow, "x.yaml");
    EXPECT_TRUE(configuration) << config::lines_of(configuration.error()).front();
    return std::move(*configuration);
}
std::string to(const std::string& endpoint, const std::string& more = "polling: 0") {
    return fmt::format("sflow: {{collectors: ['{}'], sampling: 1, {}}}\n", endpoint, more);
}

// A switch of three ports that runs the settings of the configuration.
struct Sampled {
    explicit Sampled(const std::string& sflow)
        : configuration(configured(sflow)),
          manager(*driven.dataplane, configuration, driven.settings, driven.now, recorded.sink) {
        adopt();
    }
    void configure(const std::string& sflow) {
        configuration = configured(sflow);
        manager.configure(configuration, driven.now);
        adopt();
    }
    std::vector<RecordedEvents::Row> proceed() {
        manager.tick(driven.now);
        return recorded.take();
    }
    void adopt() {
        for (std::size_t port = 0; port < driven.settings.ports.size(); ++port) {
            driven.settings.ports[port].sflow_one_in =
                configuration.settings.ports[port].sflow_one_in;
        }
        driven.dataplane->shard(0).adopt(driven.settings);
    }

    DrivenSwitch driven{3};
    config::Configuration configuration;
    RecordedEvents recorded;
    SflowManager manager;
};

TEST(SflowManager, IsOffWithoutACollector) {
    Sampled at("");
    EXPECT_FALSE(at.manager.is_on());
    at.driven.receive(0, 1, 2);
    EXPECT_TRUE(at.proceed().empty());
    EXPECT_EQ(at.manager.agent().datagrams(), 0U);
}

TEST(SflowManager, SendsWhatWorkersSampled) {
    Listener listener;
    Sampled at(to(listener.endpoint));
    at.driven.receive(1, 1, 2, 3);
    at.driven.receive(1, 1, 1);  // back to where it came from
    EXPECT_TRUE(at.proceed().empty());
    const auto datagrams = listener.heard();
    ASSERT_EQ(datagrams.size(), 1U);
    EXPECT_EQ(word(datagrams[0], agent_at), 0x7F00'0001U) << "what the collector is reached from";
    EXPECT_EQ(word(datagrams[0], count_at), 2U);
    const std::size_t sample = sample_at + 2;
    EXPECT_EQ(word(datagrams[0], sample + 1), hashed_if_index("p1")) << "the source";
    EXPECT_EQ(word(datagrams[0], sample + 6), 0x8000'0002U) << "a flood to two";
    const std::size_t second = sample + word(datagrams[0], sample_at + 1) / 4 + 2;
    EXPECT_EQ(word(datagrams[0], second + 6), 0x4000'0000U | 268) << "port_loopback_filter";
    EXPECT_EQ(at.manager.collectors().all().front()->sent(), 1U);
}

TEST(SflowManager, CallsItselfAsItIsWritten) {
    Listener listener;
    Sampled at(to(listener.endpoint, "agent: 192.0.2.1"));
    EXPECT_EQ(at.manager.agent().address(), (std::vector<uint8_t>{192, 0, 2, 1}));
    at.configure("lldp: {management_address: 192.0.2.7}\n" + to(listener.endpoint));
    EXPECT_EQ(at.manager.agent().address(), (std::vector<uint8_t>{192, 0, 2, 7}));
}

TEST(SflowManager, EveryCollectorGetsEveryDatagram) {
    Listener one;
    Listener two;
    Sampled at(fmt::format("sflow: {{collectors: ['{}', '{}'], sampling: 1, polling: 0}}\n",
                           one.endpoint, two.endpoint));
    at.driven.receive(0, 1, 2);
    at.proceed();
    const auto first = one.heard();
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first, two.heard());
    at.configure(to(two.endpoint));  // the other goes, this one keeps its counts
    EXPECT_EQ(at.manager.collectors().all().at(0)->sent(), 1U);
}

TEST(SflowManager, SendsCountersOfEachPortAtTheirTime) {
    Listener listener;
    Sampled at(fmt::format("sflow: {{collectors: ['{}'], sampling: 0, polling: 30s}}\n",
                           listener.endpoint));
    for (int n = 0; n < 5; ++n) at.driven.receive(1, 1, 1);
    std::vector<uint32_t> sources;
    std::vector<uint8_t> of_port_1;
    for (int second = 0; second < 60; ++second) {
        at.proceed();
        at.driven.now += 1_s;
        for (const auto& datagram : listener.heard()) {
            if (word(datagram, sample_at) != 2) continue;
            sources.push_back(word(datagram, sample_at + 3));
            if (sources.back() == hashed_if_index("p1")) of_port_1 = datagram;
        }
    }
    const std::vector<uint32_t> ports = {hashed_if_index("p0"), hashed_if_index("p1"),
                                         hashed_if_index("p2")};
    ASSERT_EQ(sources.size(), 6U);
    EXPECT_TRUE(std::equal(ports.begin(), ports.end(), sources.begin()));
    EXPECT_TRUE(std::equal(ports.begin(), ports.end(), sources.begin() + 3));
    const std::size_t counters = sample_at + 2 + 3 + 2;
    EXPECT_EQ(word(of_port_1, counters + 7), 5 * 64U) << "octets";
    EXPECT_EQ(word(of_port_1, counters + 8), 5U);
    EXPECT_EQ(word(of_port_1, counters + 11), 5U) << "discards: same_port";
    EXPECT_EQ(word(of_port_1, counters + 12), 0U);
}

TEST(SflowManager, FollowsSettingsWhileItRuns) {
    Listener listener;
    Sampled at("");
    at.configure(to(listener.endpoint));
    at.driven.receive(0, 1, 2);
    at.proceed();
    EXPECT_EQ(listener.heard().size(), 1U);
    at.configure(
        fmt::format("sflow: {{collectors: ['{}'], sampling: 0, polling: 0}}\n", listener.endpoint));
    at.driven.receive(0, 1, 2);
    at.proceed();
    EXPECT_TRUE(listener.heard().empty());
    at.configure("");
    EXPECT_FALSE(at.manager.is_on());
}

TEST(SflowManager, WhatIsLeftOfTheLastTimeIsNotReported) {
    Listener listener;
    Sampled at(to(listener.endpoint));
    at.driven.receive(0, 1, 2);
    at.configure("");
    at.configure(to(listener.endpoint));
    at.proceed();
    EXPECT_TRUE(listener.heard().empty());
}

TEST(SflowManager, ACollectorThatNobodyListensToIsReportedOnce) {
    Listener listener;
    const std::string endpoint = listener.endpoint;
    Sampled at(to(endpoint));
    listener.close();
    std::vector<RecordedEvents::Row> events;
    for (int n = 0; n < 20; ++n) {
        at.driven.receive(0, 1, 2);
        for (RecordedEvents::Row& event : at.proceed()) events.push_back(std::move(event));
        at.driven.now += 1_s;
    }
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].severity, Severity::warning);
    EXPECT_EQ(events[0].kind, "sflow_unreachable");
    EXPECT_EQ(events[0].text, "sFlow collector " + endpoint +
                                  ": Connection refused; what is lost is counted in `sluice show "
                                  "sflow`");
    const Collector& collector = *at.manager.collectors().all().front();
    EXPECT_FALSE(collector.is_reachable());
    EXPECT_GT(collector.lost(), 0U);
    EXPECT_EQ(collector.sent() + collector.lost(), 20U);
}

TEST(SflowManager, IsShown) {
    Listener listener;
    Sampled at(to(listener.endpoint));
    for (int n = 0; n < 3; ++n) at.driven.receive(0, 1, 2);
    at.proceed();
    View view = at.driven.view();
    EXPECT_FALSE(snapshot("sflow", view, false).at("enabled").get<bool>());
    view.sflow = &at.manager;
    const Json shown = snapshot("sflow", view, false);
    EXPECT_EQ(shown.at("agent"), "127.0.0.1");
    EXPECT_EQ(shown.at("datagrams"), 1);
    EXPECT_EQ(shown.at("collectors").at(0), Json({{"collector", listener.endpoint},
                                                  {"reachable", true},
                                                  {"why", ""},
                                                  {"sent", 1},
                                                  {"lost", 0}}));
    EXPECT_EQ(shown.at("ports").at(0), Json({{"port", "p0"},
                                             {"if_index", hashed_if_index("p0")},
                                             {"sampling", 1},
                                             {"sample_pool", 3},
                                             {"flow_samples", 3},
                                             {"counter_samples", 0},
                                             {"drops", 0}}));
}

}  // namespace
}  // namespace sluice::control
