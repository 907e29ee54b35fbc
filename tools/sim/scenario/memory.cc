#include "tools/sim/scenario/memory.h"

#include <algorithm>
#include <bit>

#include "dataplane/buffer/frame_pool.h"
#include "dataplane/switch.h"
#include "tools/gen/histogram.h"
#include "tools/sim/network/host.h"

namespace sluice::sim {

namespace {

std::size_t memory_of(const SwitchSpec& spec) {
    const Settings& settings = spec.settings;
    const std::size_t ports = settings.ports.size();
    const std::size_t queues = ports * ports * max_priorities;
    const auto frames = static_cast<std::size_t>(
        settings.buffer.size.count() / std::max(settings.buffer.cell, bare_frame).count());
    constexpr std::size_t slots_an_entry = 2;  // of the table of addresses (forward/fdb.h)
    constexpr std::size_t octets_a_slot = 16;
    return FramePool::chunks_for(frames, queues) * sizeof(FramePool::Chunk) + queues * sizeof(Voq) +
           std::bit_ceil(settings.fdb.capacity * slots_an_entry) * octets_a_slot +
           ports * (sizeof(Ingress) + sizeof(Egress) + sizeof(PortCounters)) + sizeof(SwitchNode);
}

std::size_t memory_of(const FlowSpec& spec) {
    const std::size_t pairs = spec.from.size() * std::max(spec.to.size(), std::size_t{1});
    constexpr std::size_t octets_a_receiver = sizeof(Target) + sizeof(uint64_t);  // with its serial
    return sizeof(gen::Histogram) + pairs * octets_a_receiver + spec.from.size() * sizeof(Source) +
           spec.trace.size() * sizeof(Message);
}

}  // namespace

Bytes memory_at_start(const NetworkScenario& scenario) {
    std::size_t sum = scenario.hosts.size() * sizeof(Host);
    for (const HostSpec& host : scenario.hosts) {
        if (host.receive.rate.count() > 0) sum += ReceiveBuffer::memory_for(host.receive.size);
    }
    for (const SwitchSpec& spec : scenario.switches) sum += memory_of(spec);
    for (const FlowSpec& spec : scenario.flows) sum += memory_of(spec);
    return Bytes(static_cast<int64_t>(sum));
}

}  // namespace sluice::sim
