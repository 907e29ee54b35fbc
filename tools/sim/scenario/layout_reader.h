// LayoutReader: reads the switches, hosts and cables of a file.
//
// Not done here: a switch's own keys (switch_settings.h), and the behaviour of hosts
// (peers_reader.h).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "config/yaml/document.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/layout.h"

namespace sluice::sim {

// Returns the two ports that a key lists by their indices. If the value is not a list of two ports,
// reports a fault and returns no ports.
std::array<std::optional<PortIndex>, 2> two_ports(Fields& fields, std::string_view key);

class LayoutReader {
  public:
    explicit LayoutReader(Fields& file);

    Layout read();
    // Returns the cable that links use if they define no cable of their own.
    [[nodiscard]] const Cable& cable() const { return cable_; }
    // Returns false if a fault leaves the hosts unknown.
    [[nodiscard]] bool hosts_known() const { return hosts_known_; }

  private:
    static Cable cable_of(Fields& fields, std::optional<Cable> otherwise);
    void read_switches();
    static void count_ports(Fields& fields, const config::Node& ports, SwitchDraft& draft);
    void read_hosts();
    void read_links();
    std::optional<std::size_t> node_named(Fields& fields, std::string_view key,
                                          const config::Node& word);
    Place plug(Fields& fields, std::string_view key, std::size_t node, const Cable& cable,
               std::optional<PortIndex> wanted);

    Fields& file_;
    Cable cable_;
    Layout layout_;
    std::map<std::string, std::size_t, std::less<>> nodes_;
    bool hosts_known_ = true;
};

}  // namespace sluice::sim
