#include "pmd_glue/workers.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "dataplane/ledger.h"
#include "dataplane/shard.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

using namespace std::chrono_literals;

// Waits long, since a machine may be busy; nobody waits for it in vain.
template <class Condition>
bool soon(Condition condition) {
    const auto limit = std::chrono::steady_clock::now() + 10s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > limit) return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

// A switch of two ports; the test holds the other ends of their rings. Each end has a pool of its
// own, from which the port's worker takes buffers, too.
class WorkersTest : public testing::Test {
  protected:
    void build(uint8_t workers, WorkerOptions options = {}) {
        settings_.ports.resize(2);
        settings_.workers = workers;
        settings_.buffer.size = Bytes(1024 * 1024);
        for (PortIndex port = 0; port < 2; ++port) {
            settings_.ports[port].worker = port % workers;
            const std::string name = "ring:workers" + std::to_string(port);
            ours_[port] = open_port(name + "/b", *pools_[port]);
            theirs_[port] = open_port(name + "/a", *pools_[port]);
        }
        switch_ = std::make_unique<Switch>(settings_);
        switch_->set_link(0, true);
        switch_->set_link(1, true);
        workers_ = std::make_unique<Workers>(*switch_, settings_,
                                             std::vector{theirs_[0].get(), theirs_[1].get()},
                                             pools_of(workers), clock_, options);
    }
    void TearDown() override {
        workers_.reset();
        for (auto& port : ours_) port.reset();
        for (auto& port : theirs_) port.reset();
        for (const auto& pool : pools_) {
            EXPECT_EQ(pool->available(), pool->size()) << "buffers were lost";
        }
    }
    std::vector<Pool*> pools_of(uint8_t workers) {
        std::vector<Pool*> pools;
        for (uint8_t worker = 0; worker < workers; ++worker) pools.push_back(pools_[worker].get());
        return pools;
    }

    // Frames from a host behind `port` to an address nobody has, so that they are flooded.
    std::size_t send(PortIndex port, std::size_t count) {
        std::vector<Frame> frames = make_frames(*pools_[port], count);
        for (Frame& frame : frames) {
            std::fill_n(frame.data, 60, uint8_t{0});
            write_address(frame.data, MacAddress{0x020000000099});
            write_address(frame.data + 6, MacAddress{0x020000000001U + port});
            write_16(frame.data + 12, 0x88B5);
        }
        const std::size_t sent = ours_[port]->bursts().transmit(frames);
        free_frames(*pools_[port], std::span(frames).subspan(sent));
        return sent;
    }
    // Sends more than a ring holds and waits until the switch has it.
    std::size_t fill() {
        std::size_t sent = 0;
        while (sent < 300) {
            sent += send(0, 60);
            EXPECT_TRUE(soon([&] { return switch_->counters(0).rx_frames.value() == sent; }));
        }
        return sent;
    }
    // One poll of the only worker; `busy`: with a frame for port 0.
    void poll(bool busy) {
        if (busy) send(0, 1);
        workers_->worker(0).poll(clock_.now());
    }
    int polls_until_received(bool others_busy);
    std::size_t arrived(PortIndex port) { return receive_all(*ours_[port], *pools_[port]).size(); }

    Settings settings_;
    const Clock clock_ = Clock::calibrated();
    std::array<std::unique_ptr<Pool>, 2> pools_{make_pool(), make_pool()};
    std::array<std::unique_ptr<Port>, 2> ours_;
    std::array<std::unique_ptr<Port>, 2> theirs_;
    std::unique_ptr<Switch> switch_;
    std::unique_ptr<Workers> workers_;
};

TEST_F(WorkersTest, ASwitchIsMadeByTheThreadsOfItsWorkers) {
    settings_.ports.resize(2);
    settings_.workers = 2;
    settings_.ports[1].worker = 1;
    const Switch::OnWorker on_its_thread = on_worker(eal());
    std::map<WorkerIndex, std::set<std::thread::id>> threads;
    const Switch made(settings_, [&](WorkerIndex worker, const auto& make) {
        on_its_thread(worker, [&] {
            threads[worker].insert(std::this_thread::get_id());
            make();
        });
    });
    EXPECT_EQ(made.input_count(), 2U);
    ASSERT_EQ(threads.size(), 2U);
    EXPECT_EQ(threads[0].size(), 1U);
    EXPECT_EQ(threads[1].size(), 1U);
    EXPECT_NE(threads[0], threads[1]);
    EXPECT_FALSE(threads[0].contains(std::this_thread::get_id()));
}

TEST_F(WorkersTest, OnePollCarriesABurstAcross) {
    build(1);
    send(0, 10);
    EXPECT_TRUE(workers_->worker(0).poll(clock_.now()));
    EXPECT_EQ(arrived(1), 10U);
    EXPECT_EQ(arrived(0), 0U);
    EXPECT_FALSE(workers_->worker(0).poll(clock_.now()));
    EXPECT_EQ(workers_->counters(0).received.value(), 10U);
    EXPECT_EQ(workers_->counters(0).sent.value(), 10U);
}

// Polls until a frame of port 1 is received; port 0 is given a frame for each if it is to be busy.
int WorkersTest::polls_until_received(bool others_busy) {
    const uint64_t before = switch_->counters(1).rx_frames.value();
    send(1, 1);
    int polls = 0;
    do poll(others_busy);
    while (++polls < 100 && switch_->counters(1).rx_frames.value() == before);
    return polls;
}

TEST_F(WorkersTest, ASilentPortIsAskedAtEveryFourthPollWhileOthersAreBusy) {
    build(1);
    switch_->set_link(1, false);  // nothing is sent to it
    std::set<int> waited;
    for (int alignment = 0; alignment < 12; ++alignment) {
        for (int polls = 0; polls < 100 + alignment; ++polls) poll(true);
        waited.insert(polls_until_received(true));
    }
    EXPECT_EQ(waited, (std::set{1, 2, 3, 4}));
    for (int polls = 0; polls < 100; ++polls) poll(false);
    EXPECT_EQ(polls_until_received(false), 1);
}

TEST_F(WorkersTest, APortThatIsSentFramesIsAskedAtEveryPoll) {
    build(1);
    for (int polls = 0; polls < 100; ++polls) {
        poll(true);
        arrived(1);
    }
    for (int times = 0; times < 4; ++times) EXPECT_EQ(polls_until_received(true), 1);
    arrived(0);
    arrived(1);
}

TEST_F(WorkersTest, ARefusedFrameStaysQueuedInOrder) {
    build(1);
    Worker& worker = workers_->worker(0);
    std::size_t sent = 0;
    for (int burst = 0; burst < 10; ++burst) {
        sent += send(0, 30);
        for (int i = 0; i < 4; ++i) worker.poll(clock_.now());
    }
    EXPECT_EQ(sent, 300U);
    EXPECT_FALSE(switch_->empty());  // the ring to us holds 127
    std::size_t got = 0;
    for (int i = 0; i < 100 && got < sent; ++i) {
        got += arrived(1);
        worker.poll(clock_.now());
    }
    EXPECT_EQ(got, sent);
    EXPECT_TRUE(switch_->empty());
}

TEST_F(WorkersTest, WhatControlSaysOvertakesData) {
    build(1);
    Worker& worker = workers_->worker(0);
    std::size_t data = 0;
    for (int burst = 0; burst < 10; ++burst) {
        data += send(0, 30);
        worker.poll(clock_.now());
    }
    EXPECT_FALSE(switch_->empty());  // the ring to us holds 127
    ASSERT_TRUE(switch_->send_for_control(1, std::vector<uint8_t>(80, 0xCC)));
    worker.poll(clock_.now());
    EXPECT_TRUE(switch_->shard(0).has_pending_peer_frames());  // the ring is full
    std::size_t before = 0;
    bool arrived_whole = false;
    for (int poll = 0; poll < 100 && !arrived_whole; ++poll) {
        std::array<Frame, 32> room;
        const std::size_t count = ours_[1]->bursts().receive(room);
        for (Frame& frame : std::span(room).first(count)) {
            const std::span<const uint8_t> octets(frame.data, frame.length);
            arrived_whole |= octets.size() == 80 && std::ranges::count(octets, 0xCC) == 80;
            if (!arrived_whole) ++before;
            pools_[0]->free(std::span(&frame.handle, 1));
        }
        worker.poll(clock_.now());
    }
    EXPECT_TRUE(arrived_whole);
    EXPECT_EQ(before, 127U);  // those that the ring held
    EXPECT_LT(before, data);
    EXPECT_EQ(switch_->counters(1).generated.value(), 1U);
    while (arrived(1) > 0) worker.poll(clock_.now());
}

// Worker 1 has polled for the last time when worker 0 moves frames to its output.
TEST_F(WorkersTest, WhatLiesInAMailboxAtTheEndIsFreed) {
    build(2);
    const PublishedState published{.settings = settings_,
                                   .ports = {&theirs_[0]->bursts(), &theirs_[1]->bursts()}};
    const std::vector<Pool*> pools = pools_of(2);
    WorkerGroup group{.dataplane = *switch_,
                      .pools = pools,
                      .clock = clock_,
                      .options = {.drain_limit = Nanos(0)},
                      .workers = 2,
                      .published = &published};
    Worker first(0, group);
    Worker second(1, group);
    group.stopping.store(true);
    std::thread other([&] { second.run(); });
    EXPECT_TRUE(soon([&] { return group.move_nothing.load() == 1; }));
    send(0, 10);
    first.poll(clock_.now());
    EXPECT_FALSE(switch_->empty());
    first.run();
    other.join();
    EXPECT_TRUE(switch_->empty());
    EXPECT_EQ(switch_->counters(1).egress_drops.of(Drop::shutdown), 10U);
}

class RunningWorkers : public WorkersTest, public testing::WithParamInterface<uint8_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, RunningWorkers, testing::Values(1, 2),
                         [](const auto& name) { return std::to_string(name.param); });

TEST_P(RunningWorkers, CarryFramesBothWays) {
    build(GetParam());
    workers_->start(eal());
    EXPECT_EQ(send(0, 40) + send(1, 30), 70U);
    std::array<std::size_t, 2> got{};
    EXPECT_TRUE(soon([&] {
        got[0] += arrived(0);
        got[1] += arrived(1);
        return got[0] == 30 && got[1] == 40;
    })) << got[0]
        << " " << got[1];
}

TEST_P(RunningWorkers, AStopSendsWhatIsQueued) {
    build(GetParam());
    workers_->start(eal());
    const std::size_t sent = fill();
    std::size_t got = 0;
    std::jthread reader([&](const std::stop_token& stop) {
        std::this_thread::sleep_for(20ms);
        while (!stop.stop_requested()) got += arrived(1);
        got += arrived(1);
    });
    EXPECT_TRUE(workers_->stop().empty());
    reader.request_stop();
    reader.join();
    EXPECT_EQ(got, sent);
    EXPECT_TRUE(switch_->empty());
}

TEST_P(RunningWorkers, AStopDoesNotWaitForEver) {
    build(GetParam(), {.drain_limit = Nanos(50'000'000)});
    workers_->start(eal());
    fill();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(workers_->stop().empty());
    EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
    EXPECT_TRUE(switch_->empty());
    const PortCounters& input = switch_->counters(0);
    const PortCounters& output = switch_->counters(1);
    EXPECT_EQ(input.rx_frames.value(),
              input.drops.total() + output.egress_drops.total() + output.tx_frames.value());
}

// A thread that gets the signal waits here until it may go on.
std::atomic<bool> holds{false};
std::atomic<bool> held{false};
void hold_still(int) {
    held = true;
    const timespec moment{0, 100'000};
    while (holds.load()) ::nanosleep(&moment, nullptr);
    held = false;
}

// The kernel's number of an EAL worker's thread.
pid_t thread_of(std::size_t worker) {
    DIR* const tasks = ::opendir("/proc/self/task");
    pid_t found = 0;
    while (const dirent* task = ::readdir(tasks)) {
        std::string name;
        std::getline(std::ifstream("/proc/self/task/" + std::string(task->d_name) + "/comm"), name);
        // DPDK from 23.07 on writes no hyphen.
        const std::string number = std::to_string(worker + 1);
        const bool is_it = name.ends_with("worker-" + number) || name.ends_with("worker" + number);
        if (is_it) found = std::stoi(task->d_name);
    }
    ::closedir(tasks);
    return found;
}

TEST_P(RunningWorkers, AStopNamesWhoDoesNotEndAndCanBeCalledAgain) {
    build(GetParam(), {.drain_limit = Nanos(1'000'000), .stop_limit = Nanos(100'000'000)});
    workers_->start(eal());
    ::signal(SIGUSR1, hold_still);
    holds = true;
    ASSERT_EQ(::syscall(SYS_tgkill, ::getpid(), thread_of(0), SIGUSR1), 0);
    EXPECT_TRUE(soon([] { return held.load(); }));
    const std::vector<std::string> running = workers_->stop();
    ASSERT_EQ(running.size(), GetParam());
    EXPECT_EQ(running[0],
              "worker 0 has not seen the stop: its last poll does not end, or its CPU is "
              "taken");
    EXPECT_EQ(running.back(),
              GetParam() == 2 ? "worker 1 waits for the other workers" : running.front());
    holds = false;
    EXPECT_TRUE(soon([&] { return workers_->stop().empty(); }));
    EXPECT_TRUE(switch_->empty());
}

TEST_P(RunningWorkers, NewSettingsAreAdopted) {
    build(GetParam());
    workers_->start(eal());
    for (uint8_t slots = 1; slots < 20; ++slots) {
        settings_.fabric.slots = slots;
        workers_->publish(settings_);
    }
    EXPECT_TRUE(workers_->wait_until_adopted(Nanos(60'000'000'000)));
    EXPECT_TRUE(workers_->all_adopted());
    EXPECT_EQ(workers_->worker(0).adopted()->settings.fabric.slots, 19);
}

TEST_P(RunningWorkers, ThatDoNotAdoptAreNotWaitedForWithoutEnd) {
    build(GetParam());
    settings_.fabric.slots = 2;
    workers_->publish(settings_);
    EXPECT_FALSE(workers_->wait_until_adopted(Nanos(1'000'000))) << "none runs";
}

TEST_P(RunningWorkers, RestWhenThereIsNothingToDo) {
    build(GetParam());
    workers_->start(eal());
    EXPECT_TRUE(soon([&] { return workers_->counters(0).sleeps.value() > 100; }));
    EXPECT_GT(workers_->counters(0).idle_ns.value(), 0U);
    const WorkerCounters& counters = workers_->counters(0);
    EXPECT_GT(counters.longest_gap_ns.value(), 0U);
    EXPECT_LE(counters.longest_gap_ns.value(), counters.idle_ns.value() + counters.busy_ns.value());
}

TEST_P(RunningWorkers, SayWhatControlHasToSayBeforeTheyStop) {
    build(GetParam());
    workers_->start(eal());
    for (PortIndex port = 0; port < 2; ++port) {
        ASSERT_TRUE(switch_->send_for_control(port, std::vector<uint8_t>(60, 0xCC)));
    }
    EXPECT_TRUE(workers_->stop().empty());
    EXPECT_EQ(arrived(0), 1U);
    EXPECT_EQ(arrived(1), 1U);
    EXPECT_TRUE(ledger_of(*switch_).balanced());
}

}  // namespace
}  // namespace sluice::pmd
