// Classifier: the priority of a frame, from tables (802.1Q 6.9.3 for PCP, RFC 2474 for DSCP).
// The first source in the port's order that the frame has decides: PCP if it is tagged, DSCP if it
// is IP; otherwise the port's default priority.
// Bound: two comparisons and one table read a frame.
#pragma once

#include "dataplane/ingress/parse.h"
#include "dataplane/settings.h"

namespace sluice {

class Classifier {
  public:
    Classifier() = default;
    explicit Classifier(const ClassifySettings& settings) : settings_(settings) {}

    [[nodiscard]] Priority operator()(const Headers& headers) const {
        for (const PrioritySource source : settings_.order) {
            if (source == PrioritySource::pcp && headers.tagged) {
                return settings_.pcp_to_priority[headers.pcp];
            }
            if (source == PrioritySource::dscp && headers.network_offset != 0) {
                return settings_.dscp_to_priority[headers.dscp];
            }
        }
        return settings_.default_priority;
    }

  private:
    ClassifySettings settings_;
};

}  // namespace sluice
