// MtuTable: holds the longest frame that each output sends. A frame that is longer, with the tag
// that the output sends, is dropped at that output only (802.1Q 8.6.4, 6.5.8).
// Bound: one comparison for each output of a frame that is longer than `any_port_sends`; other
// frames cost nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"

namespace sluice {

class MtuTable {
  public:
    // `tags`: whether ports may push a tag.
    void configure(std::span<const PortSettings> ports, bool tags) {
        Bytes shortest = ports.front().max_frame;
        for (std::size_t port = 0; port < ports.size(); ++port) {
            longest_[port] = ports[port].max_frame;
            shortest = std::min(shortest, ports[port].max_frame);
        }
        any_port_sends_ = shortest - Bytes(tags ? int64_t{tag_octets} : 0);
    }
    // Returns the longest frame that every port can send, even if it pushes a tag.
    [[nodiscard]] Bytes any_port_sends() const { return any_port_sends_; }
    [[nodiscard]] bool fits(Bytes length, PortIndex output) const {
        return length <= longest_[output];
    }

  private:
    Bytes any_port_sends_;
    std::array<Bytes, max_ports> longest_{};
};

}  // namespace sluice
