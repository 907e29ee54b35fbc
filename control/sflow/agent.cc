#include "control/sflow/agent.h"

#include <bit>
#include <optional>

#include "control/sflow/discard.h"
#include "dataplane/types/address.h"
#include "dataplane/types/tag.h"

namespace sluice::control::sflow {

namespace {

constexpr uint32_t fcs_octets = 4;

// Returns the PCP of the tag, if the frame has a tag of the port's type.
std::optional<uint8_t> pcp_of(const TaggingSettings& tagging, std::span<const uint8_t> header) {
    if (header.size() < tag_offset + tag_octets) return std::nullopt;
    const uint16_t ether_type = read_16(header.data() + tag_offset);
    const bool sees =
        tagging.aware ? ether_type == ether_type_of(tagging.type) : is_tag(ether_type);
    if (!sees) return std::nullopt;
    return static_cast<uint8_t>(header[tag_offset + 2] >> 5);
}

// Returns the VLAN and priority of a frame at its input and output. For an untagged frame these are
// the values that its port gives it; for a frame that is sent untagged, the values that its tag
// would have had.
ExtendedSwitch extended_of(const Settings& settings, const PortSettings& input,
                           const FlowRecord& record, std::span<const uint8_t> header) {
    if (record.vlan == 0) return {};
    const bool has_tags = input.format.ether_type;
    const std::optional<uint8_t> pcp = has_tags ? pcp_of(input.tagging, header) : std::nullopt;
    uint8_t leaves_with = pcp.value_or(record.priority);
    if (record.outputs != 0) {
        const auto& written = settings.ports[first_of(record.outputs)].remark.pcp;
        const uint8_t remarked = written[record.priority];
        if (remarked != RemarkSettings::as_it_came) leaves_with = remarked;
    }
    return {.source_vlan = record.vlan,
            .source_priority = pcp.value_or(input.classify.default_priority),
            .destination_vlan = record.vlan,
            .destination_priority = leaves_with};
}

}  // namespace

void Agent::set_address(std::vector<uint8_t> address) {
    if (address == address_) return;
    address_ = std::move(address);
    if (datagram_.empty()) datagram_ = Datagram(address_);
}

void Agent::set_polling(Nanos interval, std::size_t ports, Nanos now) {
    if (interval == interval_) return;
    interval_ = interval;
    for (std::size_t port = 0; port < ports; ++port) {
        const auto turn = static_cast<int64_t>(port);
        next_counters_[port] = now + interval * turn / static_cast<int64_t>(ports);
    }
}

void Agent::add(const Settings& settings, PortIndex port, const FlowRecord& record,
                std::span<const uint8_t> header, uint64_t drops, Nanos now) {
    Source& source = sources_[port];
    source.sample_pool = pool_of(port, record);
    put(FlowSample{.sequence = ++source.flow_samples,
                   .source = if_index_of(port),
                   .sampling_rate = record.one_in,
                   .sample_pool = source.sample_pool,
                   .drops = static_cast<uint32_t>(drops),
                   .input = one_interface(if_index_of(port)),
                   .output = output_of(record),
                   .frame_length = record.length + fcs_octets,
                   .stripped = fcs_octets,
                   .header = header,
                   .extended = extended_of(settings, settings.ports[port], record, header)},
        now);
}

Interface Agent::output_of(const FlowRecord& record) const {
    if (record.outputs == 0) {
        if (is_consumed(record.reason)) return no_interface;
        return discarded(static_cast<uint32_t>(discard_of(record.reason)));
    }
    if (std::has_single_bit(record.outputs)) {
        return one_interface(if_index_of(first_of(record.outputs)));
    }
    return several_interfaces(static_cast<uint32_t>(std::popcount(record.outputs)));
}

// Returns the sample pool of a port. Lanes sample separately: the growth of a lane's pool is added
// to the port's.
uint32_t Agent::pool_of(PortIndex port, const FlowRecord& record) {
    uint32_t& known = input_pools_[record.input.number];
    return sources_[port].sample_pool + (record.pool - std::exchange(known, record.pool));
}

bool Agent::counters_are_due(PortIndex port, Nanos now) {
    if (interval_ == Nanos(0) || now < next_counters_[port]) return false;
    const Nanos next = next_counters_[port] + interval_;
    next_counters_[port] = next > now ? next : now + interval_;  // a late port skips samples
    return true;
}

void Agent::add(PortIndex port, const InterfaceCounters& counters, Nanos now) {
    put(CounterSample{.sequence = ++sources_[port].counter_samples, .counters = counters}, now);
}

template <class Sample>
void Agent::put(const Sample& sample, Nanos now) {
    if (datagram_.add(sample)) return;
    flush(now);
    datagram_.add(sample);
}

void Agent::flush(Nanos now) {
    if (datagram_.empty()) return;
    const auto uptime_ms = static_cast<uint32_t>((now - started_).count() / 1'000'000);
    send_(datagram_.finish(++sequence_, uptime_ms));
    datagram_ = Datagram(address_);
}

}  // namespace sluice::control::sflow
