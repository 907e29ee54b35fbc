// parts: what each step of a frame's journey costs on its own, on the objects that the switch is
// made of and in bursts of 32 frames, as they come:
//
//   parse_untagged, parse_tagged   IPv4 of 64 octets (FCS counted); `parse_afh_gen2_16b`: a format
//                                  that is described
//   classify_pcp, classify_dscp    by the tag, by the IP header
//   admit_lossy, admit_lossless    into the buffer and out again, to four outputs at one priority:
//                                  thresholds, VOQ, group, requests to the crossbar
//   voq_push_pop                   the queue alone, its chunks among them
//   egress_strict, _wrr, _dwrr     onto the queues of one port and off them, all priorities busy
//   pfc_accounting                 what a lossless group is charged and gives back, and whether
//                                  that is XOFF or XON
//   ecn_decision, ecn_mark         the curve and its draw; and with the mark written
//
// A part is called here, where the switch has several in one function: the sum is more than the
// whole. What a part reads is in the cache. `ns` and `cycles_per_frame` are of one frame.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "dataplane/egress/aqm.h"
#include "dataplane/egress/egress.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/types/address.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr std::size_t burst = 32;
constexpr std::size_t ports = 4;
constexpr uint16_t length = 60;
constexpr uint8_t ect_0 = 2;

template <class Batch>
void measure(benchmark::State& state, Batch batch) {
    const uint64_t start = bench::cycles();
    while (state.KeepRunningBatch(burst)) batch();
    state.counters["cycles_per_frame"] =
        static_cast<double>(bench::cycles() - start) / static_cast<double>(state.iterations());
}

// A burst in buffers of their own, at the distance that buffers have.
class Burst {
  public:
    explicit Burst(bool tagged = true) : network_(tagged ? 18 : 14) {
        for (std::size_t n = 0; n < burst; ++n) {
            uint8_t* const octets = buffers_[n].data();
            write_address(octets, {0x0200'0000'0100 + n});
            write_address(octets + 6, {0x0200'0000'0200 + n});
            if (tagged) {
                write_16(octets + 12, 0x8100);
                write_16(octets + 14, static_cast<uint16_t>(n % max_priorities << 13 | 1));
            }
            write_16(octets + network_ - 2, 0x0800);
            octets[network_] = 0x45;
            set_ecn(octets);
            frames[n] = {.handle = octets,
                         .data = octets,
                         .length = length,
                         .vlan = 1,
                         .input = 0,
                         .priority = static_cast<Priority>(n % max_priorities),
                         .network_offset = network_,
                         .account = Account::voq_shared};
        }
    }
    // As it came, without a mark.
    void set_ecn(uint8_t* octets) const {
        octets[network_ + 1] = ect_0;
        write_16(octets + network_ + 10, 0);
    }

    std::array<Frame, burst> frames{};

  private:
    const uint8_t network_;
    std::vector<std::array<uint8_t, 2304>> buffers_{burst};
};

std::span<const uint8_t> octets_of(const Frame& frame) { return {frame.data, frame.length}; }

void parse(benchmark::State& state, bool tagged) {
    const Burst of(tagged);
    measure(state, [&] {
        for (const Frame& frame : of.frames) {
            Headers headers;
            benchmark::DoNotOptimize(parse(octets_of(frame), headers));
            benchmark::DoNotOptimize(headers);
        }
    });
}
void parse_untagged(benchmark::State& state) { parse(state, false); }
void parse_tagged(benchmark::State& state) { parse(state, true); }

// As the switch does: whether it is control is asked first.
void parse_afh_gen2_16b(benchmark::State& state) {
    const Format format(presets[2]);
    const Burst of(false);
    for (const Frame& frame : of.frames) {
        frame.data[0] = key_word_short_ids;
        write_16(frame.data + 12, 0x88B5);
    }
    measure(state, [&] {
        for (const Frame& frame : of.frames) {
            Headers headers;
            benchmark::DoNotOptimize(control_of(octets_of(frame)));
            benchmark::DoNotOptimize(parse(format, octets_of(frame), headers));
            benchmark::DoNotOptimize(headers);
        }
    });
}

void classify(benchmark::State& state, bool tagged) {
    const Classifier classifier({}, presets[0]);
    const Burst of(tagged);
    std::array<Headers, burst> headers;
    for (std::size_t n = 0; n < burst; ++n) parse(octets_of(of.frames[n]), headers[n]);
    measure(state, [&] {
        for (std::size_t n = 0; n < burst; ++n) {
            benchmark::DoNotOptimize(classifier(headers[n], octets_of(of.frames[n])));
        }
    });
}
void classify_pcp(benchmark::State& state) { classify(state, true); }
void classify_dscp(benchmark::State& state) { classify(state, false); }

void admit(benchmark::State& state, PrioritySet lossless) {
    Settings settings;
    settings.ports.resize(ports);
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = lossless;
        port.pfc.headroom = 64_KiB;
    }
    SharedBuffer pool(shared_size(settings), settings.buffer.cell, settings.workers);
    FramePool frame_pool(FramePool::chunks_for(burst, ports * max_priorities));
    Crossbar crossbar(settings.fabric, ports, settings.workers);
    Ingress ingress(0, ports, {pool.shard(0), frame_pool, crossbar.shard(0)});
    crossbar.set_backlogs(0, ingress.backlogs(), sizeof(Voq));
    ingress.configure(settings);
    constexpr Priority priority = 3;
    Burst of;
    for (Frame& frame : of.frames) frame.priority = priority;
    std::array<Frame, max_transfer> out;
    measure(state, [&] {
        for (std::size_t n = 0; n < burst; ++n) {
            const auto output = static_cast<PortIndex>(n % ports);
            benchmark::DoNotOptimize(ingress.admit(of.frames[n], output));
        }
        for (PortIndex output = 0; output < ports; ++output) {
            benchmark::DoNotOptimize(
                ingress.move({output, priority}, out, settings.fabric.quantum));
        }
    });
    state.counters["ports"] = ports;
}
void admit_lossy(benchmark::State& state) { admit(state, 0); }
void admit_lossless(benchmark::State& state) { admit(state, 0xFF); }

void voq_push_pop(benchmark::State& state) {
    constexpr Bytes charge{256};
    constexpr Bytes no_limit{INT64_MAX};
    FramePool pool(FramePool::chunks_for(burst, 1));
    Voq queue;
    const Burst of;
    std::array<Frame, burst> out;
    measure(state, [&] {
        for (const Frame& frame : of.frames) {
            queue.push(frame, Account::voq_shared, charge, pool);
        }
        const std::size_t taken = queue.take(out, no_limit, pool);
        queue.discharge(charge * static_cast<int64_t>(taken));
        benchmark::DoNotOptimize(out);
    });
}

void serve(benchmark::State& state, Discipline discipline) {
    PortSettings settings;
    settings.scheduler.discipline.fill(discipline);
    Egress egress;
    egress.configure(settings, FabricSettings{}.quantum, 1);
    Burst of;
    std::ranges::sort(of.frames, {}, &Frame::priority);
    constexpr std::size_t each = burst / max_priorities;
    std::array<Frame, burst> out;
    Nanos now{1};
    measure(state, [&] {
        now += 1_us;
        for (std::size_t n = 0; n < burst; n += each) {
            egress.push(std::span(of.frames).subspan(n, each));
        }
        egress.put_back(out, egress.select(out, now));
        benchmark::DoNotOptimize(out);
    });
}
void egress_strict(benchmark::State& state) { serve(state, Discipline::strict); }
void egress_wrr(benchmark::State& state) { serve(state, Discipline::wrr); }
void egress_dwrr(benchmark::State& state) { serve(state, Discipline::dwrr); }

// A frame is charged as it comes; what leaves is given back a transfer of four at a time.
void pfc_accounting(benchmark::State& state) {
    constexpr Bytes charge{256};
    constexpr std::size_t transfer = 4;
    const PfcSettings pfc;
    IngressPriorityGroup group;
    SharedBuffer pool(16_MiB, charge, 1);
    measure(state, [&] {
        for (std::size_t n = 0; n < burst; ++n) {
            group.charge(IngressPriorityGroup::Part::pool, charge);
            pool.shard(0).take(charge);
            benchmark::DoNotOptimize(group.at_xoff(pfc, pool.shard(0).free()));
        }
        for (std::size_t n = 0; n < burst; n += transfer) {
            pool.shard(0).give(group.release(charge * int64_t{transfer}));
            benchmark::DoNotOptimize(group.at_xon(pfc, pool.shard(0).free()));
        }
    });
}

void mark(benchmark::State& state, Bytes depth, bool clears) {
    constexpr QueueKey path{0, 3};
    std::vector<PortSettings> settings(1);
    settings[0].ecn[path.priority] = {.low = 100_KiB, .high = 400_KiB, .probability_65536 = 0};
    Aqm aqm(1);
    aqm.configure(settings);
    const Burst of;
    measure(state, [&] {
        benchmark::DoNotOptimize(aqm.mark(path, depth, of.frames));
        if (!clears) return;
        for (const Frame& frame : of.frames) of.set_ecn(frame.data);
    });
}
void ecn_decision(benchmark::State& state) { mark(state, 200_KiB, false); }
void ecn_mark(benchmark::State& state) { mark(state, 400_KiB, true); }

BENCHMARK(parse_untagged);
BENCHMARK(parse_tagged);
BENCHMARK(parse_afh_gen2_16b);
BENCHMARK(classify_pcp);
BENCHMARK(classify_dscp);
BENCHMARK(admit_lossy);
BENCHMARK(admit_lossless);
BENCHMARK(voq_push_pop);
BENCHMARK(egress_strict);
BENCHMARK(egress_wrr);
BENCHMARK(egress_dwrr);
BENCHMARK(pfc_accounting);
BENCHMARK(ecn_decision);
BENCHMARK(ecn_mark);

}  // namespace

int main(int count, char** arguments) { return sluice::bench::run_parts(count, arguments); }
