// Workers as real threads on one switch, while a control thread flips links, flushes the FDB and
// reads whatever can be read. Order, ledger and buffers hold as with one thread, and the thread
// sanitizer has nothing to say (build with -Db_sanitize=thread).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "dataplane/ledger.h"
#include "dataplane/poll.h"
#include "dataplane/switch.h"
#include "tests/support/octets.h"
#include "tests/support/rig.h"

namespace sluice::property {
namespace {

using namespace literals;

// Frames for each input. A sanitizer takes ten times as long for a frame, and sees more of each.
constexpr std::size_t frames_each = 6000 / THREADS_SHARE;

struct SharedBuffer {
    test::Octets octets;
    InputIndex input;
    uint32_t number = 0;
    std::atomic<int> references{1};
};

// Buffers that the switch holds. A sender that would give it more waits, so that a worker that the
// system lets run alone does not only fill queues.
std::atomic<int> held{0};
// References that were taken of, or given back to, a buffer that nobody held.
std::atomic<int> misuses{0};

void unreference(void* handle) {
    auto* const buffer = static_cast<SharedBuffer*>(handle);
    const int before = buffer->references.fetch_sub(1, std::memory_order_acq_rel);
    if (before == 1) --held;
    if (before <= 0) ++misuses;
}
void reference(void* handle, int extra) {
    auto* const buffer = static_cast<SharedBuffer*>(handle);
    if (buffer->references.fetch_add(extra, std::memory_order_acq_rel) <= 0) ++misuses;
}

// The ports of one worker's shard: prepared frames arrive at random, and frames to be sent are
// refused at random.
class Traffic {
  public:
    struct Mix {
        int most_held = 100;           // buffers, by all workers together
        unsigned one_is_flooded = 16;  // of so many
    };
    Traffic(Switch& dataplane, const Shard& shard, const Mix& mix, unsigned seed)
        : dataplane_(dataplane), mix_(mix), random_(seed) {
        for_each_input(shard.inputs(), [&](InputIndex input) { inputs_.push_back(input); });
    }
    // `frames` for each of its inputs.
    void prepare(std::size_t frames) {
        const auto ports = static_cast<unsigned>(dataplane_.port_count());
        for (const InputIndex input : inputs_) {
            auto& queue = waiting_[input.number];
            for (std::size_t n = 0; n < frames; ++n) {
                auto buffer = std::make_unique<SharedBuffer>();
                buffer->input = input;
                buffer->number = static_cast<uint32_t>(n);
                buffer->octets = make_frame(dataplane_.port_of(input), ports);
                queue.push_back(std::move(buffer));
            }
        }
    }
    void refuse_nothing() { refuses_ = false; }

    // --- as poll.h wants it ---------------------------------------------------------------------
    [[nodiscard]] static InputSet ready() { return ~InputSet{0}; }
    [[nodiscard]] static PortSet writable() { return ~PortSet{0}; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        auto& queue = waiting_[from.input.number];
        std::size_t& next = next_[from.input.number];
        if (held.load(std::memory_order_relaxed) > mix_.most_held) {
            std::this_thread::yield();
            return 0;
        }
        const std::size_t most = random_() % (random_() % 16 == 0 ? burst.size() + 1 : 6);
        std::size_t count = 0;
        for (; count < most && next < queue.size(); ++count, ++next) {
            SharedBuffer& buffer = *queue[next];
            burst[count] = Frame{.handle = &buffer,
                                 .data = buffer.octets.data(),
                                 .length = static_cast<uint16_t>(buffer.octets.size())};
        }
        held += static_cast<int>(count);
        return count;
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        const bool refuses = refuses_ && random_() % 4 == 0;
        const std::size_t taken = refuses ? random_() % (burst.size() + 1) : burst.size();
        for (const Frame& frame : burst.first(taken)) {
            auto* const buffer = static_cast<SharedBuffer*>(frame.handle);
            wrong_input_ |= frame.input != dataplane_.port_of(buffer->input);
            const auto flow = std::tuple(buffer->input.number, port, frame.priority);
            const auto last = last_of_.find(flow);
            if (last != last_of_.end() && last->second >= buffer->number) in_order_ = false;
            last_of_[flow] = buffer->number;
            unreference(buffer);
        }
        return taken;
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                                 const std::array<uint8_t, max_priorities>&) {
        return frames.size();
    }
    bool send(PortIndex, std::span<const uint8_t>) { return !refuses_ || random_() % 4 != 0; }
    // Late, now and then: another worker must not have received the shared frames yet.
    void release(Released& released) {
        if (released.shared_count > 0 && random_() % 4 == 0) std::this_thread::yield();
        for (std::size_t n = 0; n < released.shared_count; ++n) {
            reference(released.shared[n].handle, released.shared[n].extra);
        }
        for (std::size_t n = 0; n < released.freed_count; ++n) unreference(released.freed[n]);
        released.clear();
    }
    static void free(const Frame& frame) { unreference(frame.handle); }

    // --- what happened --------------------------------------------------------------------------
    [[nodiscard]] bool in_order() const { return in_order_ && !wrong_input_; }
    [[nodiscard]] bool all_in() const {
        return std::ranges::all_of(waiting_, [&](const auto& queue) {
            const auto at = next_.find(queue.first);
            return at != next_.end() && at->second == queue.second.size();
        });
    }
    // Buffers that were not given back exactly as often as they were held.
    [[nodiscard]] std::size_t wrong_buffers() const {
        std::size_t wrong = 0;
        for (const auto& [input, buffers] : waiting_) {
            for (const auto& buffer : buffers) {
                if (buffer->references.load() != 0) ++wrong;
            }
        }
        return wrong;
    }

  private:
    test::Octets make_frame(PortIndex port, unsigned ports) {
        if (random_() % 200 == 0) {
            std::array<uint8_t, pause_frame_octets> octets;
            PauseFrame pause;
            pause.enabled = 0b0000'1000;
            pause.time[3] = random_() % 2 == 0 ? 0 : 40;
            write_pause_frame(octets, test::station(port), pause);
            return {octets.begin(), octets.end()};
        }
        const unsigned to = static_cast<unsigned>(random_() % (ports + 1));
        return test::octets_of(
            {.to = random_() % mix_.one_is_flooded == 0 ? test::broadcast : test::station(to),
             // A host of its own each, and one that roams.
             .from = random_() % 50 == 0 ? test::station(100) : test::station(port),
             .tag = test::Tag{.vlan = 1, .pcp = static_cast<uint8_t>(random_() % 4)},
             .length = random_() % 32 == 0 ? 1000 + random_() % 8217 : 60 + random_() % 940});
    }

    Switch& dataplane_;
    const Mix mix_;
    std::minstd_rand random_;
    std::vector<InputIndex> inputs_;
    std::map<uint8_t, std::vector<std::unique_ptr<SharedBuffer>>> waiting_;  // by input
    std::map<uint8_t, std::size_t> next_;
    std::map<std::tuple<uint8_t, PortIndex, Priority>, uint32_t> last_of_;
    bool refuses_ = true;
    bool in_order_ = true;
    bool wrong_input_ = false;
};

// One worker: polls, and now and then adopts its settings again.
class Worker {
  public:
    Worker(Switch& dataplane, WorkerIndex self, const Settings& settings, const Traffic::Mix& mix,
           unsigned seed)
        : shard_(dataplane.shard(self)),
          settings_(settings),
          random_(seed),
          traffic(dataplane, shard_, mix, seed),
          poll_(dataplane, shard_, traffic) {}
    // Runs until all its frames have entered, and then until `stop`.
    void run(const std::atomic<bool>& stop, std::atomic<int>& busy) {
        shard_.hand_over();
        bool is_reported = false;
        while (!stop.load(std::memory_order_acquire)) {
            poll();
            if (is_reported || !traffic.all_in()) continue;
            is_reported = true;
            busy.fetch_sub(1, std::memory_order_release);
        }
        shard_.hand_over();
    }
    void poll() {
        now_ += 1_us;
        poll_(now_, 4);
        if (random_() % 64 == 0) shard_.adopt(settings_);
    }

  private:
    Shard& shard_;
    const Settings& settings_;
    std::minstd_rand random_;

  public:
    Traffic traffic;

  private:
    Poll<Traffic> poll_;
    Nanos now_ = 1_s;
};

// Reads all that control and `show` read while workers run.
uint64_t read_everything(const Switch& dataplane) {
    uint64_t sum = ledger_of(dataplane).received;
    sum += dataplane.empty() ? 1U : 0U;
    sum += dataplane.crossbar().slots() + dataplane.crossbar().frames();
    sum += static_cast<uint64_t>(dataplane.pool().used().count());
    dataplane.fdb().for_each([&](const FdbEntry& entry) { sum += entry.port; });
    for (PortIndex port = 0; port < dataplane.port_count(); ++port) {
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            sum += dataplane.sum_of_lanes(port, [&](InputIndex lane) {
                const IngressPriorityGroup& group = dataplane.ingress(lane).group(priority);
                const Bytes octets = group.occupancy() + group.used() + group.headroom();
                return static_cast<uint64_t>(octets.count()) + group.headroom_max() +
                       dataplane.counters(lane).rx_frames.value() +
                       dataplane.ingress(lane).pauses_caused({0, priority});
            });
            sum += dataplane.egress(port).queue(priority).waiting();
            const Nanos now(2'000'000'000);
            sum += static_cast<uint64_t>(
                (dataplane.egress(port).gate().history(priority).last_minute(now) +
                 dataplane.ingress(port).pause_sender().history(priority).total(now))
                    .count());
            sum += dataplane.egress(port).watchdog().detected(priority);
            sum += dataplane.ingress(port).pause_sender().xoff_sent(priority);
            sum += dataplane.ingress(port).pause_sender().pausing();
        }
    }
    return sum;
}

struct Case {
    uint8_t workers;
    std::size_t ports;
    bool flip_links;
    MatchingAlgorithm algorithm = MatchingAlgorithm::islip;
    std::size_t lanes = 0;  // of the first ports, each of another worker than the port
    bool bypass = true;
    Traffic::Mix mix = {};
};

class Threads : public testing::TestWithParam<Case> {};

TEST_P(Threads, KeepOrderLedgerAndBuffers) {
    const auto [workers, ports, flip_links, algorithm, lanes, bypass, mix] = GetParam();
    misuses = 0;
    Settings settings = test::settings_of(ports, workers);
    settings.fabric.algorithm = algorithm;
    settings.fabric.bypass = bypass;
    settings.latency_one_in = 4;
    settings.fdb.static_entries.clear();
    settings.buffer.size = 1_MiB;
    for (PortSettings& port : settings.ports) {
        port.max_frame = 9216_B;
        port.pfc.lossless = 0b0000'1000;
        port.pfc.xoff = 8_KiB;
        port.pfc.xon = 4_KiB;
        port.pfc.headroom = 64_KiB;
        port.scheduler.discipline[0] = port.scheduler.discipline[1] = Discipline::dwrr;
        if (!flip_links) continue;
        port.pfc.trigger = PauseTrigger::egress;
        port.pfc.watchdog = {.action = WatchdogAction::drop,
                             .detection = 200_us,
                             .restoration = 200_us,
                             .poll = 50_us};
    }
    for (PortIndex port = 0; port < lanes; ++port) {
        const auto worker = static_cast<WorkerIndex>((port + 1U) % workers);
        settings.lanes.push_back({.port = port, .worker = worker});
        settings.ports[port].storm_control.rate[0] = 1'000'000'000;
    }
    Switch dataplane(settings);
    for (PortIndex port = 0; port < ports; ++port) dataplane.set_link(port, true);

    std::vector<std::unique_ptr<Worker>> parts;
    for (WorkerIndex worker = 0; worker < workers; ++worker) {
        parts.push_back(std::make_unique<Worker>(dataplane, worker, settings, mix, 1U + worker));
        parts.back()->traffic.prepare(frames_each);
    }
    std::atomic<bool> stop{false};
    std::atomic<int> busy{workers};
    std::vector<std::thread> threads;
    for (const auto& part : parts) {
        threads.emplace_back([&] { part->run(stop, busy); });
    }
    std::minstd_rand random(9);
    uint64_t seen = 0;
    do {
        seen += read_everything(dataplane);
        const auto port = static_cast<PortIndex>(random() % ports);
        if (flip_links && random() % 8 == 0) {
            dataplane.set_link(port, false);
            std::this_thread::sleep_for(std::chrono::microseconds(50));
            dataplane.set_link(port, true);
        }
        if (random() % 32 == 0) dataplane.flush_fdb();
        if (random() % 32 == 0) dataplane.flush_fdb_vlan(1);
        std::this_thread::yield();
    } while (busy.load(std::memory_order_acquire) > 0);
    seen += read_everything(dataplane);
    stop.store(true, std::memory_order_release);
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(seen, 0U);

    // The rest leaves with nobody else around.
    for (PortIndex port = 0; port < ports; ++port) dataplane.set_link(port, true);
    for (const auto& part : parts) part->traffic.refuse_nothing();
    for (int poll = 0; poll < 20'000 && !dataplane.empty(); ++poll) {
        for (const auto& part : parts) part->poll();
    }
    EXPECT_TRUE(dataplane.empty());
    EXPECT_EQ(dataplane.pool().used(), 0_B);
    const Ledger ledger = ledger_of(dataplane);
    EXPECT_TRUE(ledger.balanced());
    EXPECT_EQ(ledger.waiting, 0U);
    EXPECT_EQ(ledger.received, frames_each * (ports + lanes));
    const bool is_overloaded = flip_links || mix.one_is_flooded < 16;
    EXPECT_GT(ledger.sent, ledger.received / (is_overloaded ? 50 : 2));
    EXPECT_EQ(misuses.load(), 0);
    for (const auto& part : parts) {
        EXPECT_TRUE(part->traffic.in_order());
        EXPECT_EQ(part->traffic.wrong_buffers(), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Workers, Threads,
                         testing::Values(Case{2, 4, false}, Case{2, 4, true}, Case{3, 6, true},
                                         Case{3, 6, false, MatchingAlgorithm::serena},
                                         Case{2, 4, false, MatchingAlgorithm::islip, 2},
                                         Case{3, 3, true, MatchingAlgorithm::serena, 3},
                                         Case{2, 4, true, MatchingAlgorithm::islip, 0, false},
                                         Case{.workers = 3,
                                              .ports = 6,
                                              .flip_links = false,
                                              .mix = {.most_held = 400, .one_is_flooded = 4}}),
                         [](const auto& instance) {
                             return std::to_string(instance.param.workers) + "Workers" +
                                    std::to_string(instance.param.ports) + "Ports" +
                                    (instance.param.flip_links ? "FlippingLinks" : "") +
                                    (instance.param.lanes > 0 ? "Lanes" : "") +
                                    (instance.param.bypass ? "" : "WithoutBypass") +
                                    (instance.param.mix.one_is_flooded == 4 ? "ManyFloods" : "");
                         });

}  // namespace
}  // namespace sluice::property
