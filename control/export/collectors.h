// Collectors: the collectors of one protocol, such as sFlow or IPFIX, which all get the same
// datagrams.
//
// Bound: one socket each (collector.h). Each change of a collector's state is an event,
// `<kind>_reachable` or `<kind>_unreachable`.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "control/events/event_sink.h"
#include "control/export/collector.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class Collectors {
  public:
    // `protocol`: name of the protocol for people; `kind`: name of the protocol in events, and of
    // the noun with its counts.
    Collectors(std::string protocol, std::string kind)
        : protocol_(std::move(protocol)), kind_(std::move(kind)) {}

    // Sets the collectors. Collectors that stay keep their sockets and counts.
    void set(const std::vector<std::string>& endpoints);
    void send(std::span<const uint8_t> datagram, Nanos now);
    void report(EventSink& events);

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] const std::vector<std::unique_ptr<Collector>>& all() const { return all_; }

  private:
    const std::string protocol_;
    const std::string kind_;
    std::vector<std::unique_ptr<Collector>> all_;
};

}  // namespace sluice::control
