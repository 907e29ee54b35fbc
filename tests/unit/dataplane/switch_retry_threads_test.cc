// Control switches retry of a port off and on, and gives it other buffers, while the port's worker
// receives, keeps and sends: no end is used that was freed, and no buffer is left behind.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "dataplane/types/random.h"
#include "tests/support/retry_link.h"

namespace sluice {
namespace {

using namespace test;

TEST(RetryThreads, EndsAreReplacedUnderTraffic) {
    RetryLink link;
    Random chance(5);
    link.loses = [&](const Octets&) { return chance.next() % 5 == 0; };
    std::atomic<bool> is_over{false};
    std::thread worker([&] {
        while (!is_over.load(std::memory_order_relaxed)) {
            if (link.sent - link.b.ports.departures(1).size() < 25) link.send(3);
            link.turn();
        }
        link.turn(50);
        link.b.stop_retry();
    });
    Retries& retries = link.b.dataplane.retries();
    const RetrySettings on = retry_settings(0).ports[0].retry;
    for (int n = 0; n < 2000; ++n) {
        RetrySettings changed = on;
        changed.resequence += Bytes(n);
        retries.use(0, {});
        retries.use(0, changed);
        retries.set_peer(0, LinkPeer::able, three);
        // Sometimes its worker sees only the second of both.
        if (n % 3 != 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        retries.free_seen();
    }
    is_over = true;
    worker.join();
    retries.free_seen();
    EXPECT_EQ(retries.retired(), 0U);
    EXPECT_EQ(link.a.ports.misuse() + link.b.ports.misuse(), "");
    EXPECT_EQ(link.b.ports.held(), 0U);
}

}  // namespace
}  // namespace sluice
