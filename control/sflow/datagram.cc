#include "control/sflow/datagram.h"

#include "dataplane/types/address.h"

namespace sluice::control::sflow {

namespace {

constexpr uint32_t version = 5;
// Formats of sflow.org, enterprise 0.
constexpr uint32_t flow_sample = 1;
constexpr uint32_t counters_sample = 2;
constexpr uint32_t sampled_header = 1;
constexpr uint32_t extended_switch = 1001;
constexpr uint32_t if_counters = 1;
constexpr uint32_t ethernet_counters = 2;

constexpr uint32_t ethernet_header = 1;  // header_protocol ETHERNET-ISO88023
constexpr uint32_t ethernet_type = 6;    // ifType ethernetCsmacd
constexpr uint32_t full_duplex = 1;

constexpr std::size_t head = 8;  // octets of a format and a length
constexpr std::size_t if_counters_octets = 16 * 4 + 3 * 8;
constexpr std::size_t ethernet_counters_octets = 13 * 4;
constexpr std::size_t extended_switch_octets = 4 * 4;
constexpr std::size_t counters_sample_octets =
    3 * 4 + head + if_counters_octets + head + ethernet_counters_octets;

constexpr std::size_t padded(std::size_t octets) { return (octets + 3) / 4 * 4; }

}  // namespace

Datagram::Datagram(std::span<const uint8_t> agent) {
    octets_.reserve(longest_datagram);
    word(version);
    word(agent.empty() ? 0 : agent.size() == 4 ? 1 : 2);
    octets_.insert(octets_.end(), agent.begin(), agent.end());
    behind_agent_ = octets_.size();
    octets_.resize(behind_agent_ + std::size_t{4} * 4);
}

bool Datagram::add(const FlowSample& sample) {
    const std::size_t header_octets = 4 * 4 + padded(sample.header.size());
    const std::size_t octets = 8 * 4 + head + header_octets + head + extended_switch_octets;
    if (!has_room(head + octets)) return false;
    ++samples_;
    word(flow_sample);
    word(static_cast<uint32_t>(octets));
    word(sample.sequence);
    word(sample.source);  // a source of type 0 is an ifIndex
    word(sample.sampling_rate);
    word(sample.sample_pool);
    word(sample.drops);
    word(sample.input);
    word(sample.output);
    word(2);  // number of records

    word(sampled_header);
    word(static_cast<uint32_t>(header_octets));
    word(ethernet_header);
    word(sample.frame_length);
    word(sample.stripped);
    opaque(sample.header);

    word(extended_switch);
    word(extended_switch_octets);
    word(sample.extended.source_vlan);
    word(sample.extended.source_priority);
    word(sample.extended.destination_vlan);
    word(sample.extended.destination_priority);
    return true;
}

bool Datagram::add(const CounterSample& sample) {
    if (!has_room(head + counters_sample_octets)) return false;
    ++samples_;
    const InterfaceCounters& counters = sample.counters;
    word(counters_sample);
    word(counters_sample_octets);
    word(sample.sequence);
    word(counters.index);
    word(2);  // number of records

    word(if_counters);
    word(if_counters_octets);
    word(counters.index);
    word(ethernet_type);
    hyper(counters.speed);
    word(full_duplex);
    word((counters.admin_up ? 1U : 0U) | (counters.oper_up ? 2U : 0U));
    hyper(counters.in_octets);
    word(counters.in_frames);
    word(not_counted);  // multicast
    word(not_counted);  // broadcast
    word(counters.in_discards);
    word(counters.in_errors);
    word(not_counted);  // unknown protocols
    hyper(counters.out_octets);
    word(counters.out_frames);
    word(not_counted);  // multicast
    word(not_counted);  // broadcast
    word(counters.out_discards);
    word(not_counted);  // errors
    word(counters.promiscuous ? 1 : 0);

    word(ethernet_counters);
    word(ethernet_counters_octets);
    constexpr int before_too_long = 10;  // fields from alignment errors to carrier sense errors
    for (int field = 0; field < before_too_long; ++field) word(not_counted);
    word(counters.frames_too_long);
    word(not_counted);  // internal MAC receive errors
    word(not_counted);  // symbol errors
    return true;
}

std::span<const uint8_t> Datagram::finish(uint32_t sequence, uint32_t uptime_ms) {
    constexpr uint32_t sub_agent = 0;
    uint8_t* at = octets_.data() + behind_agent_;
    for (const uint32_t value : {sub_agent, sequence, uptime_ms, samples_}) {
        write_16(at, static_cast<uint16_t>(value >> 16));
        write_16(at + 2, static_cast<uint16_t>(value));
        at += 4;
    }
    return octets_;
}

void Datagram::word(uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        octets_.push_back(static_cast<uint8_t>(value >> shift));
    }
}

void Datagram::hyper(uint64_t value) {
    word(static_cast<uint32_t>(value >> 32));
    word(static_cast<uint32_t>(value));
}

void Datagram::opaque(std::span<const uint8_t> octets) {
    word(static_cast<uint32_t>(octets.size()));
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    octets_.resize(octets_.size() + padded(octets.size()) - octets.size());
}

}  // namespace sluice::control::sflow
