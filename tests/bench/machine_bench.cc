// machine: what the machine itself is good for just now, to read the other figures by. `pace` is
// that of a core (pace.h) and `undisturbed` the share of looks in two seconds at which it was
// within a tenth of its best. Then cycles to read the first octets of frame buffers, each after the
// one before, the least of a thousand rounds: of 16, which the nearest TLB covers, and of 256,
// which it covers in huge pages alone. Both fit the nearest cache. Where the second takes longer,
// the pages are ordinary ones, or huge for this system only: its host has them in pieces, and every
// frame pays for that. `round_trip_ns` is a word to the second CPU and back, what every message
// between workers costs; left out on one CPU.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/pace.h"

namespace {

using namespace sluice;

bench::Rounds look_at_pace() {
    bench::Rounds rounds;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (std::chrono::steady_clock::now() < end) rounds.add(0, bench::pace_now());
    return rounds;
}

// A ring of pointers through the buffers, in an order that cannot be foreseen.
void* link(std::vector<Frame> frames) {
    std::ranges::shuffle(frames, std::minstd_rand());
    for (std::size_t n = 0; n < frames.size(); ++n) {
        const void* const next = frames[(n + 1) % frames.size()].data;
        std::memcpy(frames[n].data, &next, sizeof next);
    }
    return frames.front().data;
}

double cycles_a_read(pmd::Pool& pool, std::size_t count) {
    std::vector<Frame> frames(count);
    for (std::size_t n = 0; n < count; n += 16) {
        if (!pool.allocate(std::span(frames).subspan(n, 16), 60)) std::exit(1);
    }
    const void* at = link(frames);
    constexpr int reads = 20'000;
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 1000; ++round) {
        const uint64_t start = bench::cycles();
        for (int n = 0; n < reads; ++n) {
            at = *static_cast<const void* const*>(at);
            asm volatile("" : "+r"(at));
        }
        best = std::min(best, static_cast<double>(bench::cycles() - start) / reads);
    }
    for (Frame& frame : frames) pool.free({&frame.handle, 1});
    return best;
}

// Two threads hand a number to and fro; each adds one.
struct alignas(64) Ball {
    static constexpr uint64_t last = 200'000;
    std::atomic<uint64_t> number{0};
    alignas(64) std::atomic<unsigned> players{0};

    int play() {
        const unsigned self = players.fetch_add(1);
        for (uint64_t at = self; at <= last; at += 2) {
            while (number.load(std::memory_order_acquire) != at) continue;
            number.store(at + 1, std::memory_order_release);
        }
        return 0;
    }
};

double round_trip_ns(pmd::Eal& eal) {
    constexpr std::array<std::size_t, 2> two = {0, 1};
    return bench::median_of(9, [&] {
        Ball ball;
        const auto play = [](void* with) { return static_cast<Ball*>(with)->play(); };
        const auto start = std::chrono::steady_clock::now();
        for (const std::size_t core : two) eal.launch(core, play, &ball);
        for (const std::size_t core : two) eal.wait(core);
        const std::chrono::duration<double, std::nano> took =
            std::chrono::steady_clock::now() - start;
        return took.count() / (Ball::last / 2);
    });
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    const pmd::PoolRequest request{.buffers = 2048};
    const std::vector<unsigned> usable = pmd::usable_cpus();
    std::vector<unsigned> cpus = {usable.front()};
    if (usable.size() > 1) cpus.push_back(usable[1]);
    auto eal = bench::require(
        pmd::Eal::start({.worker_cpus = cpus, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    nlohmann::ordered_json fields;
    look_at_pace().tell(fields);
    fields["huge_pages"] = eal.huge_pages();
    fields["cycles_a_read_of_16"] = cycles_a_read(*pool, 16);
    fields["cycles_a_read_of_256"] = cycles_a_read(*pool, 256);
    if (cpus.size() == 2) fields["round_trip_ns"] = round_trip_ns(eal);
    report.add("machine", std::move(fields));
}
