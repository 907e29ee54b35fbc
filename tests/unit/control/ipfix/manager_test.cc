// IPFIX with a switch under it, and a collector that is a socket of this test.
#include "control/ipfix/manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/loader.h"
#include "dataplane/types/address.h"
#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/listener.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using Messages = std::vector<std::vector<uint8_t>>;

constexpr std::size_t set_at = 16;

config::Configuration exporting_to(const std::string& ipfix) {
    auto configuration = config::load_text(
        "ports: [{name: p0, device: 'ring:a'}, {name: p1, device: 'ring:b'}]\n" + ipfix, "x.yaml");
    EXPECT_TRUE(configuration) << config::lines_of(configuration.error()).front();
    return std::move(*configuration);
}
std::string ipfix_to(const std::string& endpoint, const std::string& more = "period: 1ms") {
    return fmt::format("ipfix: {{collectors: ['{}'], priorities: [3], {}}}\n", endpoint, more);
}

struct ExportingSwitch {
    explicit ExportingSwitch(const std::string& ipfix)
        : manager(
              *driven.dataplane, exporting_to(ipfix), driven.settings,
              [this] { return driven.now; }, recorded.sink) {}
    void configure(const std::string& ipfix) { manager.configure(exporting_to(ipfix), driven.now); }
    // A poll, and a look of control.
    std::vector<RecordedEvents::Row> proceed(Nanos by = 1_ms) {
        driven.now += by;
        driven.housekeep();
        manager.tick(driven.now);
        return recorded.take();
    }

    DrivenSwitch driven{2};
    RecordedEvents recorded;
    IpfixManager manager;
};

TEST(IpfixManager, IsOffWithoutACollector) {
    ExportingSwitch at("");
    EXPECT_TRUE(at.proceed().empty());
    EXPECT_FALSE(at.manager.is_on());
    EXPECT_EQ(at.manager.period().count(), 0);
    EXPECT_EQ(at.driven.dataplane->sampler_slot(0).taken(), nullptr);
}

TEST(IpfixManager, SendsTemplatesAndThenASampleEachPeriod) {
    Listener listener;
    ExportingSwitch at(ipfix_to(listener.endpoint));
    EXPECT_TRUE(at.proceed().empty());
    const Messages first = listener.heard();
    ASSERT_EQ(first.size(), 3U) << "names, templates, a sample";
    EXPECT_EQ(read_16(&first[0][set_at]), 3);
    EXPECT_EQ(read_16(&first[1][set_at]), 2);
    EXPECT_EQ(read_16(&first[2][set_at]), at.manager.exporter().template_of(0));
    EXPECT_EQ(at.manager.exporter().records(), 2U * 4 + 4);
    for (int n = 0; n < 5; ++n) at.proceed();
    EXPECT_EQ(listener.heard().size(), 5U);
    EXPECT_EQ(at.manager.sampled(0).counts.samples, 6U);
    EXPECT_EQ(at.manager.collectors().all().front()->sent(), 8U);
}

TEST(IpfixManager, BeginsAnewWherePrioritiesBecomeLossless) {
    Listener listener;
    ExportingSwitch at(ipfix_to(listener.endpoint));
    at.proceed();
    EXPECT_EQ(at.manager.layout().at(0).size(), 2U);
    const uint16_t before = at.manager.exporter().template_of(0);
    at.driven.settings.ports[1].pfc.lossless = only_priority(3);
    at.proceed(1_s);
    at.proceed();
    ASSERT_EQ(at.manager.layout().at(0).size(), 3U);
    EXPECT_EQ(at.manager.layout()[0][2],
              (ipfix::Object{ipfix::ObjectType::ingress_priority_group, 12, "p1|3"}));
    EXPECT_GT(at.manager.exporter().template_of(0), before);
}

TEST(IpfixManager, FollowsTheConfigurationAndTakesSamplersBack) {
    Listener listener;
    ExportingSwitch at(ipfix_to(listener.endpoint));
    at.proceed();
    at.configure("");
    EXPECT_FALSE(at.manager.is_on());
    EXPECT_GT(at.manager.period().count(), 0) << "until the worker let go of it";
    at.proceed();
    EXPECT_EQ(at.driven.dataplane->sampler_slot(0).taken(), nullptr);
    EXPECT_EQ(at.manager.period().count(), 0);
    listener.heard();
    at.proceed();
    EXPECT_TRUE(listener.heard().empty());
    at.configure(ipfix_to(listener.endpoint, "ports: [p1]"));
    at.proceed();
    EXPECT_EQ(at.manager.layout().at(0).size(), 1U);
    EXPECT_FALSE(listener.heard().empty());
}

TEST(IpfixManager, ReportsWhatFindsNoRoomAndWhoIsNotThere) {
    Listener listener;
    ExportingSwitch at(ipfix_to(listener.endpoint));
    at.proceed();
    for (uint32_t n = 0; n < QueueSampler::most_samples + 10; ++n) {
        at.driven.now += 1_ms;
        at.driven.housekeep();
    }
    std::vector<RecordedEvents::Row> rows = at.proceed();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].kind, "ipfix_overrun");
    EXPECT_EQ(rows[0].text.find("IPFIX: 11 samples lost"), 0U) << rows[0].text;
    EXPECT_EQ(at.manager.sampled(0).counts.lost, 11U);
    listener.close();
    for (int n = 0; n < 4; ++n) {
        for (const RecordedEvents::Row& row : at.proceed()) rows.push_back(row);
    }
    ASSERT_EQ(rows.size(), 2U) << "once";
    EXPECT_EQ(rows[1].kind, "ipfix_unreachable");
    EXPECT_GT(at.manager.collectors().all().front()->lost(), 0U);
}

TEST(IpfixManager, GoesOnCountingAfterAChange) {
    Listener listener;
    ExportingSwitch at(ipfix_to(listener.endpoint));
    at.proceed();
    at.proceed();
    const uint16_t before = at.manager.exporter().template_of(0);
    const uint64_t records = at.manager.exporter().records();
    at.driven.now += 1_ms;
    at.driven.housekeep();  // a sample that is there as the change comes
    at.configure(ipfix_to(listener.endpoint, "period: 1ms, ports: [p1]"));
    EXPECT_EQ(at.manager.exporter().records(), records + 4) << "it is sent as it was";
    at.driven.now += 1_ms;
    at.manager.tick(at.driven.now);
    EXPECT_GT(at.manager.exporter().template_of(0), before);
    EXPECT_EQ(at.manager.exporter().records(), records + 4 + 4) << "and then names";
    EXPECT_EQ(at.manager.sampled(0).counts.samples, 3U);
    at.proceed();
    EXPECT_EQ(at.manager.sampled(0).counts.samples, 4U);
    EXPECT_EQ(at.manager.sampled(0).counts.lost, 0U);
}

TEST(IpfixManager, CountsWhatAWorkerSampledForALayoutThatIsNoMore) {
    Listener listener;
    ExportingSwitch at(ipfix_to(listener.endpoint));
    at.proceed();
    QueueSampler& old = *at.driven.dataplane->sampler_slot(0).thing();
    at.configure(ipfix_to(listener.endpoint, "period: 1ms, ports: [p1]"));
    ASSERT_TRUE(old.begin(at.driven.now + 1_ms));  // by the worker, which does not know yet
    old.end();
    at.proceed();
    at.proceed();
    EXPECT_EQ(at.manager.sampled(0).counts.lost, 1U);
    EXPECT_EQ(at.manager.lost(), 1U);
    EXPECT_EQ(at.manager.sampled(0).counts.samples, 1U + 2);
}

TEST(IpfixManager, ReportsWorkersThatPollTooSeldom) {
    Listener listener;
    ExportingSwitch at(ipfix_to(listener.endpoint) + "workers: {idle: poll}\n");
    std::vector<std::string> kinds;
    const auto proceed = [&](int times, Nanos by) {
        for (int n = 0; n < times; ++n) {
            for (const RecordedEvents::Row& row : at.proceed(by)) kinds.push_back(row.kind);
        }
    };
    proceed(300, 10_ms);
    EXPECT_EQ(at.manager.sampled(0).mean, 10_ms);
    EXPECT_EQ(kinds, std::vector<std::string>{"ipfix_late"});
    proceed(12'000, 1_ms);
    EXPECT_EQ(kinds.size(), 1U) << "it was late no more";
}

}  // namespace
}  // namespace sluice::control
