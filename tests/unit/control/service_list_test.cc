// In which order services are called, and what comes of the order where it matters.
#include "control/service_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "control/managers.h"
#include "dataplane/shard.h"
#include "tests/unit/control/four_ports.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using namespace std::chrono_literals;
using service_order::Constraint;

// Writes down each call.
class Witness final : public Service {
  public:
    Witness(std::string name, std::string& calls) : name_(std::move(name)), calls_(calls) {}
    void prepare(const config::Configuration&) override { add("prepare"); }
    void configure(const config::Configuration&, Nanos now) override { add("configure", now); }
    void set_link(PortIndex, Link, Nanos now) override { add("link", now); }
    void tick(Nanos now) override { add("tick", now); }
    void stop(Nanos now) override { add("stop", now); }
    void forget(PortIndex port) override { calls_ += fmt::format("{} forget {}\n", name_, port); }
    [[nodiscard]] std::chrono::milliseconds period() const override { return wanted; }

    std::chrono::milliseconds wanted = 0ms;

  private:
    void add(std::string_view call, Nanos now = {}) {
        calls_ += fmt::format("{} {}@{}\n", name_, call, now.count());
    }
    const std::string name_;
    std::string& calls_;
};

TEST(ServiceList, CallsEachInTheOrderOfTheCall) {
    std::string calls;
    Nanos now{0};
    ServiceList services([&] { return now += 1_ns; });
    Witness lldp("lldp", calls);
    Witness lacp("lacp", calls);
    Witness dcbx("dcbx", calls);
    Witness workers("workers", calls);
    services.add(ServiceId::lldp, lldp);
    services.add(ServiceId::workers, workers);
    services.add(ServiceId::dcbx, dcbx);
    services.add(ServiceId::lacp, lacp);
    const auto called = [&](auto call) {
        call();
        return std::exchange(calls, {});
    };
    const config::Configuration configuration = four_ports("");
    EXPECT_EQ(called([&] { services.prepare(configuration); }),
              "lacp prepare@0\nworkers prepare@0\n");
    EXPECT_EQ(called([&] { services.configure(configuration); }),
              "dcbx configure@1\nlacp configure@2\nlldp configure@3\n");
    EXPECT_EQ(called([&] { services.set_link(1, {}); }), "lldp link@4\nlacp link@5\n");
    EXPECT_EQ(called([&] { services.tick(); }), "lacp tick@6\nlldp tick@7\ndcbx tick@8\n")
        << "each with the time of its turn";
    EXPECT_EQ(called([&] { services.slow_tick(); }), "");
    EXPECT_EQ(called([&] { services.stop(); }), "lldp stop@9\nlacp stop@10\nworkers stop@11\n");
    EXPECT_EQ(called([&] { services.tick(ServiceId::dcbx); }), "dcbx tick@12\n");
    services.forget(3);
    EXPECT_NE(calls.find("workers forget 3\n"), std::string::npos);
    EXPECT_NE(calls.find("lldp forget 3\n"), std::string::npos);
}

TEST(ServiceList, TicksAtAPeriodOfItsOwnAsLongAsOneIsWanted) {
    std::string calls;
    Loop loop;
    ServiceList services([] { return 1_s; });
    Witness rstp("rstp", calls);
    services.add(ServiceId::rstp, rstp);
    services.run(loop);
    rstp.wanted = 1ms;
    services.follow_periods();
    for (int turn = 0; calls.empty() && turn < 1000; ++turn) loop.run_once(10ms);
    EXPECT_NE(calls, "");
    rstp.wanted = 0ms;
    services.tick();
    calls.clear();
    for (int turn = 0; turn < 5; ++turn) loop.run_once(2ms);
    EXPECT_EQ(calls, "");
    rstp.wanted = 1ms;
    services.follow_periods();
    services.halt();
    for (int turn = 0; turn < 5; ++turn) loop.run_once(2ms);
    EXPECT_EQ(calls, "") << "it was halted";
}

TEST(ServiceOrder, EachConstraintIsBrokenByAnOrderWithItsTwoServicesSwapped) {
    for (const Constraint& constraint : service_order::constraints) {
        service_order::with_order(constraint.call, [&](const auto& order) {
            EXPECT_TRUE(service_order::keeps(order, constraint)) << constraint.why;
            auto swapped = order;
            std::iter_swap(std::ranges::find(swapped, constraint.first),
                           std::ranges::find(swapped, constraint.then));
            EXPECT_FALSE(service_order::keeps(swapped, constraint)) << constraint.why;
        });
    }
}

TEST(ServiceOrder, NoServiceIsTwiceInAnOrder) {
    for (const Call call : {Call::prepare, Call::configure, Call::set_link, Call::tick,
                            Call::slow_tick, Call::stop}) {
        service_order::with_order(call, [&](auto order) {
            std::ranges::sort(order);
            EXPECT_TRUE(std::ranges::adjacent_find(order) == order.end());
        });
    }
}

// --- what comes of it ----------------------------------------------------------------------------

// The managers of four ports over a switch whose worker is the test.
class ManagersTest : public testing::Test {
  protected:
    // The worker as a service: it adopts new settings at once, and notes what it would send then.
    class Worker final : public Service {
      public:
        explicit Worker(ManagersTest& test) : test_(test) {}
        void prepare(const config::Configuration&) override {
            test_.detached_when_settings_came = test_.sends_nothing_by(1);
            test_.dataplane->shard(0).adopt(test_.publisher->effective());
        }
        void stop(Nanos) override {
            for (PortIndex port = 0; port < ports_of_four; ++port) {
                test_.sent_while_draining += test_.sent(port);
            }
        }

      private:
        ManagersTest& test_;
    };

    void start(const std::string& more) {
        config::Configuration configuration = four_ports(more);
        dataplane = std::make_unique<Switch>(configuration.settings);
        publisher = std::make_unique<Publisher>(std::move(configuration), [this](const Settings&) {
            services.prepare(publisher->running());
        });
        services.add(ServiceId::workers, worker);
        managers = std::make_unique<Managers>(Managers::Parts{.dataplane = *dataplane,
                                                              .publisher = *publisher,
                                                              .events = recorded.sink,
                                                              .clock = [this] { return now; },
                                                              .wake = [] {},
                                                              .host_name = "host"});
        managers->add_to(services);
        for (PortIndex port = 0; port < ports_of_four; ++port) {
            dataplane->set_link(port, true);
            services.set_link(port, {true, 10_Gbps});
        }
    }
    void adopt(const std::string& more) {
        ASSERT_TRUE(managers->dcbx.adopt(four_ports(more), now));
        services.configure(publisher->running());
    }
    // True if no data leaves by the port.
    [[nodiscard]] bool sends_nothing_by(PortIndex port) const {
        return (dataplane->outputs() & only(port)) == 0;
    }
    // Frames of control that the port's worker sends now: l of LLDP, s of slow protocols.
    std::string sent(PortIndex port) {
        std::string letters;
        Shard& shard = dataplane->shard_of(port);
        for (auto octets = shard.control_frame(port); !octets.empty();
             octets = shard.control_frame(port)) {
            letters += read_16(&octets[12]) == 0x8809 ? 's' : 'l';
            last.assign(octets.begin(), octets.end());
            shard.control_frame_sent(port);
        }
        return letters;
    }

    Nanos now = 1000_s;
    RecordedEvents recorded;
    ServiceList services{[this] { return now; }};
    Worker worker{*this};
    bool detached_when_settings_came = false;
    std::string sent_while_draining;
    std::vector<uint8_t> last;  // frame that was sent
    std::unique_ptr<Switch> dataplane;
    std::unique_ptr<Publisher> publisher;
    std::unique_ptr<Managers> managers;
};

TEST_F(ManagersTest, AMemberIsDetachedBeforeWorkersHaveTheSettingsThatMakeItOne) {
    start("");
    EXPECT_FALSE(sends_nothing_by(1));
    adopt("aggregations: [{name: bond0, ports: [p0, p1], lacp: {mode: active}}]\n");
    EXPECT_TRUE(detached_when_settings_came);
}

TEST_F(ManagersTest, APortOfTheTreeDiscardsBeforeWorkersHaveTheSettingsThatMakeItOne) {
    start("");
    adopt("spanning_tree: {mode: rstp}\n");
    EXPECT_TRUE(detached_when_settings_came);
}

TEST_F(ManagersTest, TheFirstFrameOfLldpUnderNewSettingsHasWhatDcbxSaysUnderThem) {
    start("defaults: {dcbx: {mode: ieee}, lossless: [3]}\n");
    now += 10_s;
    services.tick();
    while (!sent(0).empty()) {
    }
    const std::vector<uint8_t> before = last;
    now += 10_s;
    adopt("defaults: {dcbx: {mode: ieee}, lossless: [4]}\n");
    EXPECT_EQ(sent(0), "l") << "at once, and once";
    EXPECT_NE(last, before);
    const std::vector<uint8_t> pfc = {0x00, 0x80, 0xC2, 11, 8, 0x10};
    EXPECT_FALSE(std::ranges::search(last, pfc).empty()) << "priority 4";
}

TEST_F(ManagersTest, NeighboursAndPartnersAreSaidGoodbyeToBeforeWorkersDrain) {
    start("");
    now += 10_s;
    services.tick();
    for (PortIndex port = 0; port < ports_of_four; ++port) sent(port);
    services.stop();
    EXPECT_EQ(sent_while_draining, "llll");
}

}  // namespace
}  // namespace sluice::control
