#include "control/watch/retry_watch.h"

#include <gtest/gtest.h>

#include "tests/support/retry_link.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

class RetryReportsTest : public testing::Test {
  protected:
    static config::Configuration configuration() {
        config::Configuration running;
        running.settings = test::retry_settings(1);
        running.ports.resize(running.settings.ports.size());
        running.ports[1].name = "uplink";
        running.lldp.enabled = true;
        return running;
    }

    test::RetryLink link_;
    Publisher publisher_{configuration(), [](const Settings&) {}};
    RecordedEvents recorded_;
    RetryReports reports_{link_.a.dataplane, publisher_, recorded_.sink};
};

TEST_F(RetryReportsTest, WhatAPortKeptThatIsRemovedIsReportedByItsName) {
    link_.turn(3);
    link_.loses = test::is_numbered;
    link_.send(4);
    link_.turn(2);
    reports_.tick(link_.a.now);
    recorded_.take();
    link_.a.dataplane.retries().use(1, {});
    reports_.tick(link_.a.now);
    EXPECT_EQ(recorded_.take().size(), 0U) << "its worker may have it";
    link_.turn();
    reports_.tick(link_.a.now);
    const auto events = recorded_.take();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "retry_given_up");
    EXPECT_EQ(events[0].port, "uplink");
    EXPECT_TRUE(events[0].text.starts_with("4 unacknowledged frame(s)")) << events[0].text;
}

}  // namespace
}  // namespace sluice::control
