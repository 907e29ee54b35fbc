// Trimmer: decides which frames that a lossy queue does not admit are trimmed instead of dropped,
// and limits the share of trimmed frames at an output (UEC 4.1; SAI, packet trimming).
//
// A frame is trimmed if the settings of its output trim its priority and map its DSCP. No mapped
// DSCP is ever written (config/port/trimming.h), so no frame is trimmed twice. The rest of the
// frame is queued in the priority of trimmed frames like any other frame there.
// Bound: at each output, trimmed frames have at most their share of the octets that the port sends,
// after an initial burst of `most_credit`. With several workers each has a part of the share, for
// frames of its own inputs. Only frames that would be dropped cost anything.
// Not done here: the octets (cut_packet.h), the admission (ingress_pipeline/admission.h).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "dataplane/egress/dscp.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/trim/cut_packet.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class Trimmer {
  public:
    static constexpr Bytes most_credit{32 * 1024};

    void configure(const Settings& settings) {
        workers_ = settings.workers;
        for (std::size_t port = 0; port < settings.ports.size(); ++port) {
            outputs_[port].settings = settings.ports[port].trim;
        }
    }
    // The result of trimming a frame for a queue. `length` 0: the frame is not trimmed.
    struct Trimmed {
        uint16_t length = 0;
        uint8_t dscp = 0;
        Priority priority = 0;
    };
    [[nodiscard]] Trimmed trimmed(QueueKey path, std::span<const uint8_t> frame,
                                  std::size_t network) const {
        const TrimSettings& settings = outputs_[path.output].settings;
        if ((settings.priorities & only_priority(path.priority)) == 0) return {};
        const uint8_t dscp = settings.dscp[dscp_of(&frame[network])];
        if (dscp == TrimSettings::not_trimmed) return {};
        const auto size = static_cast<std::size_t>(settings.size.count());
        return {length_when_cut(frame, network, size), dscp, settings.queue};
    }
    // Returns whether `octets` are within the share of an output that has sent `sent` octets since
    // the start.
    bool has_share(PortIndex output, uint64_t sent, Bytes octets) {
        Output& to = outputs_[output];
        assert(sent >= to.seen);
        const auto more = static_cast<int64_t>(std::min(sent - to.seen, enough));
        to.seen = sent;
        to.credit = std::min(to.credit + more * to.settings.share_128 / workers_, most);
        return to.credit >= octets.count() * 128;
    }
    void spend(PortIndex output, Bytes octets) { outputs_[output].credit -= octets.count() * 128; }

  private:
    static constexpr int64_t most = most_credit.count() * 128;
    static constexpr uint64_t enough = uint64_t{1} << 40;  // octets; a higher number could overflow

    struct Output {
        TrimSettings settings;
        uint64_t seen = 0;      // octets that the output had sent at the last call
        int64_t credit = most;  // in 1/128 octet
    };
    std::array<Output, max_ports> outputs_;
    int64_t workers_ = 1;
};

}  // namespace sluice
