// SflowAgent: the samples of a switch's ports as a stream of datagrams: numbers them, adds up the
// pools of lanes, decides which port's counters are due, and fills datagrams.
//
// The sFlowDataSource of a port is its ifIndex (control/if_index.h). Frame lengths include the FCS,
// which ports do not pass on: lengths are 4 octets more, and `stripped` is 4.
// Bound: a datagram of memory, and some words an input. Time is an argument, sending a function.
// Not done here: collecting samples and counters (manager.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "control/sflow/datagram.h"
#include "dataplane/sflow/record.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice::control::sflow {

class Agent {
  public:
    using Send = std::function<void(std::span<const uint8_t>)>;
    // Counts of a port's samples so far.
    struct Source {
        uint32_t flow_samples = 0;
        uint32_t counter_samples = 0;
        uint32_t sample_pool = 0;
    };

    // The uptime in datagrams counts from `started`.
    Agent(Send send, Nanos started) : send_(std::move(send)), started_(started), datagram_({}) {}

    // Sets the ifIndex of each port, by port index.
    using Interfaces = std::array<uint32_t, max_ports>;
    void set_interfaces(const Interfaces& interfaces) { interfaces_ = interfaces; }
    // Sets the agent's address in datagrams: 4 octets, 16 octets, or none.
    void set_address(std::vector<uint8_t> address);
    // Sets the time between two counter samples of a port; 0: no counter samples. The ports are
    // spread over that time.
    void set_polling(Nanos interval, std::size_t ports, Nanos now);

    // Adds a frame that `port` received and of which a worker sampled `header`. `drops`: how many
    // samples of the port found no room so far.
    void add(const Settings& settings, PortIndex port, const FlowRecord& record,
             std::span<const uint8_t> header, uint64_t drops, Nanos now);
    [[nodiscard]] bool counters_are_due(PortIndex port, Nanos now);
    void add(PortIndex port, const InterfaceCounters& counters, Nanos now);
    // Sends the unfinished datagram, if any.
    void flush(Nanos now);

    [[nodiscard]] uint32_t if_index_of(PortIndex port) const { return interfaces_[port]; }
    [[nodiscard]] const Source& source(PortIndex port) const { return sources_[port]; }
    [[nodiscard]] const std::vector<uint8_t>& address() const { return address_; }
    [[nodiscard]] uint32_t datagrams() const { return sequence_; }

  private:
    template <class Sample>
    void put(const Sample& sample, Nanos now);
    uint32_t pool_of(PortIndex port, const FlowRecord& record);
    [[nodiscard]] Interface output_of(const FlowRecord& record) const;

    Send send_;
    const Nanos started_;
    std::vector<uint8_t> address_;
    Datagram datagram_;
    uint32_t sequence_ = 0;
    Nanos interval_;
    std::array<Nanos, max_ports> next_counters_{};  // by port index
    Interfaces interfaces_{};
    std::array<Source, max_ports> sources_{};        // by port index
    std::array<uint32_t, max_ports> input_pools_{};  // by input index
};

}  // namespace sluice::control::sflow
