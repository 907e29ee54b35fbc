// SflowDatagram: a datagram of sFlow version 5 (sflow.org, sFlow Version 5, 2004), written in XDR:
// words of 32 bits, the highest octet first, and octets padded to whole words.
//
// Samples are in the compact form: all indices are far below 2^24. A flow sample holds the sampled
// header and extended switch data, a counter sample the counters of RFC 2233 and those of RFC 2358.
// Bound: `longest` octets, so that a datagram fits one frame on any path; samples without room are
// added to the next datagram.
// Not done here: numbers of samples and datagrams (agent.h), and sending (collector.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::control::sflow {

inline constexpr std::size_t longest_datagram = 1400;
inline constexpr uint32_t not_counted = UINT32_MAX;

// The output of a frame. Its two highest bits tell whether the rest is an interface, a drop reason
// or a number of interfaces.
using Interface = uint32_t;
constexpr Interface one_interface(uint32_t index) { return index; }
constexpr Interface discarded(uint32_t reason) { return 1U << 30 | reason; }
constexpr Interface several_interfaces(uint32_t count) { return 2U << 30 | count; }
// Output of a frame that ended in the switch itself.
inline constexpr Interface no_interface = 0x3FFF'FFFF;

struct ExtendedSwitch {
    uint32_t source_vlan = 0;
    uint32_t source_priority = 0;
    uint32_t destination_vlan = 0;
    uint32_t destination_priority = 0;
};

struct FlowSample {
    uint32_t sequence = 0;
    uint32_t source = 0;  // ifIndex of the port
    uint32_t sampling_rate = 0;
    uint32_t sample_pool = 0;
    uint32_t drops = 0;
    Interface input = 0;
    Interface output = 0;
    uint32_t frame_length = 0;  // length in octets, with stripped octets
    uint32_t stripped = 0;
    std::span<const uint8_t> header;
    ExtendedSwitch extended;
};

struct InterfaceCounters {
    uint32_t index = 0;
    uint64_t speed = 0;
    bool admin_up = false;
    bool oper_up = false;
    uint64_t in_octets = 0;
    uint32_t in_frames = 0;
    uint32_t in_discards = 0;
    uint32_t in_errors = 0;
    uint64_t out_octets = 0;
    uint32_t out_frames = 0;
    uint32_t out_discards = 0;
    bool promiscuous = false;
    uint32_t frames_too_long = 0;
};

struct CounterSample {
    uint32_t sequence = 0;
    InterfaceCounters counters;
};

class Datagram {
  public:
    // `agent`: the agent's address, of 4 or 16 octets; empty: unknown.
    explicit Datagram(std::span<const uint8_t> agent);

    // Returns false, and adds nothing, if there is no room.
    bool add(const FlowSample& sample);
    bool add(const CounterSample& sample);
    [[nodiscard]] bool empty() const { return samples_ == 0; }
    // Returns the whole datagram, ready to be sent.
    std::span<const uint8_t> finish(uint32_t sequence, uint32_t uptime_ms);

  private:
    bool has_room(std::size_t sample) const { return octets_.size() + sample <= longest_datagram; }
    void word(uint32_t value);
    void hyper(uint64_t value);
    void opaque(std::span<const uint8_t> octets);

    std::vector<uint8_t> octets_;
    std::size_t behind_agent_ = 0;  // offset of the octets after the address
    uint32_t samples_ = 0;
};

}  // namespace sluice::control::sflow
