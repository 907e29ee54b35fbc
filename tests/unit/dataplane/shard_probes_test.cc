// Whom a shard asks how long pauses take, and whom it trusts, as links go and come.
#include <gtest/gtest.h>

#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::lossless_settings;
using test::octets_of;
using test::pause_in;
using test::pause_of;
using test::Rig;
using test::three;
using test::to;

// A gateway is at port 1, and port 2 is a tunnel, which asks.
Settings asking() {
    Settings settings = lossless_settings(4);
    settings.ports[1].pfc.relay = {.to = 2, .priorities = three};
    settings.ports[2].pfc.relay = {.to = 1, .priorities = three, .probes = true};
    return settings;
}

// Returns the questions of a tunnel that is polled each 10 us for 10 ms.
int questions_in_10_ms(Rig& rig) {
    int frames = 0;
    for (const Nanos end = rig.now + 10_ms; rig.now < end; rig.now += 10_us) {
        rig.send_pause_frame(1);
        frames += rig.send_pause_frame(2).empty() ? 0 : 1;
    }
    return frames;
}

// A tunnel that is shut by hand is polled as ever, while the port below has link.
TEST(ShardProbes, WithoutALinkNobodyIsAskedHoweverOftenItIsPolled) {
    Rig rig(asking());
    rig.dataplane.set_link(2, false);
    EXPECT_EQ(questions_in_10_ms(rig), 0);
    rig.dataplane.set_link(2, true);
    EXPECT_EQ(questions_in_10_ms(rig), 1);
}

// The far edge is gone, and then the port below the tunnel has no link for a while.
TEST(ShardProbes, AnEndThatAnswersNoMoreIsNotTrustedSinceItsLinkIsUpAgain) {
    Rig rig(asking());
    PauseFrame answer = pause_in(rig.send_pause_frame(2)).value_or(PauseFrame{});
    answer.time[1] = 2;
    rig.receive(2, {octets_of(answer)});
    rig.now += 7_s;
    for (const bool up : {false, true}) {
        rig.dataplane.set_link(2, up);
        rig.send_pause_frame(2);
        rig.send_pause_frame(1);
    }
    rig.receive(1, {octets_of(pause_of(three, 65535))});
    EXPECT_EQ(rig.dataplane.egress(1).gate().xoffs_received(3), 1U) << "it is obeyed here";
    rig.receive(0, "a", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "");
}

}  // namespace
}  // namespace sluice
