#include "tools/sim/scenario/memory.h"

#include <algorithm>
#include <bit>

#include "dataplane/buffer/frame_pool.h"
#include "dataplane/switch.h"
#include "tools/common/histogram.h"
#include "tools/sim/network/host.h"

namespace sluice::sim {

namespace {

std::size_t memory_of(const SwitchSpec& spec) {
    const Settings& settings = spec.settings;
    const std::size_t ports = settings.ports.size();
    const std::size_t queues = ports * ports * max_priorities;
    constexpr std::size_t slots_an_entry = 2;  // slots of the FDB's table (forward/fdb.h)
    constexpr std::size_t octets_a_slot = 16;
    return FramePool::chunks_for(most_frames_in_buffer(settings), queues) *
               sizeof(FramePool::Chunk) +
           queues * sizeof(Voq) +
           std::bit_ceil(settings.fdb.capacity * slots_an_entry) * octets_a_slot +
           ports * (sizeof(Ingress) + sizeof(Egress) + sizeof(PortCounters)) + sizeof(SwitchNode);
}

// Counts the sources that traffic.cc makes: one for each sender, or one for each pair of a sender
// and a receiver.
std::size_t sources_of(const FlowSpec& spec, const NetworkScenario& scenario) {
    const bool parted = spec.flow.again || spec.pattern == Pattern::incast;
    std::size_t sum = 0;
    for (const std::size_t from : spec.from) {
        const bool controlled = scenario.hosts[from].rate_control != RateLimit::none;
        sum += parted || controlled ? std::max(spec.to.size(), std::size_t{1}) : 1;
    }
    return sum;
}

std::size_t memory_of(const FlowSpec& spec, const NetworkScenario& scenario) {
    const std::size_t pairs = spec.from.size() * std::max(spec.to.size(), std::size_t{1});
    // A receiver, and the serial of its next frame.
    constexpr std::size_t octets_a_receiver = sizeof(Target) + sizeof(uint64_t);
    const std::size_t a_source =
        sizeof(Source) + (spec.flow.again ? Recovery::octets_at_least : std::size_t{0});
    return sizeof(Histogram) + pairs * octets_a_receiver + sources_of(spec, scenario) * a_source +
           spec.trace.size() * sizeof(Message);
}

}  // namespace

Bytes memory_at_start(const NetworkScenario& scenario) {
    std::size_t sum = scenario.hosts.size() * sizeof(Host);
    for (const HostSpec& host : scenario.hosts) {
        if (host.receive.rate.count() > 0) sum += ReceiveBuffer::memory_for(host.receive.size);
    }
    for (const SwitchSpec& spec : scenario.switches) sum += memory_of(spec);
    for (const FlowSpec& spec : scenario.flows) sum += memory_of(spec, scenario);
    return Bytes(static_cast<int64_t>(sum));
}

}  // namespace sluice::sim
