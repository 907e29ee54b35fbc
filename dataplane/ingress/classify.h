// Classifier: the priority of a frame, from tables (802.1Q 6.9.3 for PCP, RFC 2474 for DSCP).
// The first source in the port's order that the frame has decides: PCP if it is tagged, DSCP if it
// is IP, the traffic class if the port's format has one, the DSCP of RoCEv2 if it is that;
// otherwise the port's default priority. A source that the format never has is left out at once.
// Bound: a comparison a source and one table read a frame.
#pragma once

#include <span>

#include "dataplane/frame_format.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/settings.h"

namespace sluice {

class Classifier {
  public:
    Classifier() = default;
    Classifier(const ClassifySettings& settings, const FrameFormat& format) : settings_(settings) {
        settings_.order.fill(PrioritySource::none);
        std::size_t place = 0;
        for (const PrioritySource source : settings.order) {
            if (exists(source, format)) settings_.order[place++] = source;
        }
    }

    [[nodiscard]] Priority operator()(const Headers& headers,
                                      std::span<const uint8_t> octets) const {
        for (const PrioritySource source : settings_.order) {
            if (source == PrioritySource::none) break;
            if (source == PrioritySource::pcp && headers.tagged) {
                return settings_.pcp_to_priority[headers.pcp];
            }
            if (source == PrioritySource::dscp && headers.network_offset != 0) {
                return settings_.dscp_to_priority[headers.dscp];
            }
            if (source == PrioritySource::traffic_class) {
                return settings_.tc_to_priority[headers.traffic_class];
            }
            if (source == PrioritySource::roce && is_roce(octets, headers)) {
                return settings_.dscp_to_priority[headers.dscp];
            }
        }
        return settings_.default_priority;
    }

  private:
    static bool exists(PrioritySource source, const FrameFormat& format) {
        switch (source) {
            case PrioritySource::pcp:
                return format.ether_type;
            case PrioritySource::dscp:
            case PrioritySource::roce:
                return format.ip;
            case PrioritySource::traffic_class:
                return format.traffic_class.exists();
            case PrioritySource::none:
                break;
        }
        return false;
    }

    ClassifySettings settings_;
};

}  // namespace sluice
