// Link-level retry at a port whose settings change (tests/support/retry_link.h).
#include <gtest/gtest.h>

#include "tests/support/retry_link.h"

namespace sluice {
namespace {

using namespace test;

// Applies new settings as control does.
void reload(Rig& rig, PortIndex port, const RetrySettings& retry) {
    Settings settings = rig.settings;
    settings.ports[port].retry = retry;
    rig.dataplane.retries().use(port, settings.ports[port].retry);
    rig.adopt(settings);
}

struct RetryReload : testing::Test {
    RetryReload() {
        link.turn(3);
        link.loses = is_numbered;
        link.send(4);
        link.turn(2);
    }
    void lose_nothing() {
        link.loses = [](const Octets&) { return false; };
    }
    RetryLink link;
    RetrySettings settings = link.a.settings.ports[1].retry;
};

TEST_F(RetryReload, OtherTimesEndNoSession) {
    const uint32_t before = link.end_of_a().sender().session();
    settings.replay_timer = Nanos(200'000);  // 10 turns
    reload(link.a, 1, settings);
    lose_nothing();
    link.turn(15);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{0, 1, 2, 3})) << "by the new timer";
    EXPECT_EQ(link.end_of_a().sender().session(), before);
    EXPECT_EQ(link.a.dataplane.retries().retired(), 0U);
}

TEST_F(RetryReload, FewerReplaysCountAtOnce) {
    link.turn(50 * (1 + 2 + 4));
    ASSERT_EQ(link.end_of_a().sender().counts().replays, 3U);
    settings.replay_count_max = 2;
    reload(link.a, 1, settings);
    link.turn(50 * 8 + 2);
    EXPECT_EQ(link.end_of_a().sender().counts().flushes, 1U);
}

TEST_F(RetryReload, ALongerBufferBeginsAnewWithThePeerThatIsKnown) {
    settings.buffer = Bytes(128 * 1024);
    reload(link.a, 1, settings);
    EXPECT_EQ(link.a.dataplane.retries().peer(1), LinkPeer::able) << "LLDP says it but once";
    lose_nothing();
    link.turn(3);
    link.send(2);
    link.turn(4);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{4, 5}));
    EXPECT_EQ(link.end_of_a().sender().counts().sent, 2U);
    link.a.dataplane.retries().free_seen();
    EXPECT_EQ(link.a.dataplane.retries().lost(1), 4U);
}

TEST_F(RetryReload, CountsWhatIsGivenUpOnce) {
    Retries& retries = link.a.dataplane.retries();
    link.a.dataplane.set_link(1, false);
    link.turn();
    EXPECT_EQ(retries.lost(1), 4U);
    retries.use(1, {});
    EXPECT_EQ(retries.lost(1), 4U) << "its worker may have it";
    link.turn();
    retries.free_seen();
    EXPECT_EQ(retries.lost(1), 4U);
}

}  // namespace
}  // namespace sluice
