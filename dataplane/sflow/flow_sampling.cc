#include "dataplane/sflow/flow_sampling.h"

#include <algorithm>
#include <cassert>

#include "dataplane/types/tag.h"

namespace sluice {

FlowSampling::FlowSampling(uint64_t seed, InputSet inputs) {
    for_each_input(inputs, [&](InputIndex input) {
        sources_[input.number].emplace(seed + ((uint64_t{input.number} + 1) << 32));
    });
}

void FlowSampling::configure(InputIndex input, uint32_t one_in, uint16_t header) {
    header_ = header;
    sources_[input.number]->sampler.configure(one_in);
    on_ = one_in != 0 ? on_ | only(input) : on_ & ~only(input);
}

[[gnu::noinline]] bool FlowSampling::choose(InputIndex input, std::span<const Frame> burst) {
    Source& source = *sources_[input.number];
    assert(burst.size() <= picked_.size());
    picked_count_ = 0;
    source.sampler.pick(burst.size(), [&](std::size_t at) {
        const Frame& frame = burst[at];
        picked_[picked_count_++] = {.handle = frame.handle,
                                    .data = frame.data,
                                    .length = frame.length,
                                    .at = static_cast<uint16_t>(at),
                                    .refused = 0,
                                    .reason = Drop::none};
    });
    source.pool += static_cast<uint32_t>(burst.size());
    return picked_count_ != 0;
}

FlowSampling::Picked* FlowSampling::find(const Frame& frame) {
    const auto end = picked_.begin() + static_cast<std::ptrdiff_t>(picked_count_);
    const auto found = std::find_if(
        picked_.begin(), end, [&](const Picked& picked) { return picked.handle == frame.handle; });
    return found == end ? nullptr : &*found;
}

void FlowSampling::dropped(const Frame& frame, Drop why) {
    if (Picked* const picked = find(frame)) picked->reason = why;
}

void FlowSampling::refused(const Frame& frame, PortIndex output, Drop why) {
    if (Picked* const picked = find(frame)) {
        picked->reason = why;
        picked->refused |= only(output);
    }
}

[[gnu::noinline]] void FlowSampling::finish(InputIndex input, std::span<const Frame> burst,
                                            std::span<const Drop> of_headers,
                                            std::span<const PortSet> outputs) {
    Source& source = *sources_[input.number];
    const auto before = source.pool - static_cast<uint32_t>(burst.size());
    for (const Picked& picked : std::span(picked_).first(picked_count_)) {
        assert(picked.at < burst.size());
        const Frame& frame = burst[picked.at];
        const bool classified = of_headers[picked.at] == Drop::none;
        const PortSet queued = outputs[picked.at] & ~picked.refused;
        const FlowRecord record{
            .outputs = queued,
            .pool = before + picked.at + 1U,
            .one_in = source.sampler.one_in(),
            .length = picked.length,
            .copied = std::min(picked.length, header_),
            .vlan = classified ? static_cast<VlanId>(frame.vlan & 0x0FFF) : VlanId{0},
            .input = input,
            .priority = classified ? frame.priority : Priority{0},
            .reason = queued != 0 ? Drop::none : picked.reason};
        if (ring_.stage(record, picked.data) == ring_.no_room) source.lost.add(1);
    }
    ring_.publish();
    picked_count_ = 0;
}

}  // namespace sluice
