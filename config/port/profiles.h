// Profiles: predefined classifications, by name.
//
//   none          by PCP, DSCP and traffic class; PCP n is priority n, each DSCP is priority 0
//   paxi          PAXI's traffic types in eight priorities, as a study of how an L2 switch treats
//                 its frames suggests: multicast 2, requests 3 and 4, acknowledgements and
//                 congestion notices 5 and 6, raw Ethernet 0
//   paxi_minimal  PAXI's traffic types in four priorities: acknowledgements and notices 3,
//                 requests 2, responses 1, all others 0
//   roce_v2       only RoCEv2 frames: DSCP 26 is priority 3, DSCP 48 (congestion notices) 6
// Our additions: PAXI names no PCP for responses, so they get the free one, 1; an untagged frame
// uses the class selector of its DSCP as PCP (RFC 2474 4.2.2).
#pragma once

#include <array>
#include <string_view>

#include "dataplane/types/settings.h"

namespace sluice::config {

inline constexpr std::array<std::string_view, 4> profile_names = {"none", "paxi", "paxi_minimal",
                                                                  "roce_v2"};

namespace profiles {

constexpr ClassifySettings by_pcp(const std::array<Priority, 8>& of_pcp) {
    ClassifySettings settings;
    settings.pcp_to_priority = of_pcp;
    for (std::size_t dscp = 0; dscp < settings.dscp_to_priority.size(); ++dscp) {
        settings.dscp_to_priority[dscp] = of_pcp[dscp >> 3];
    }
    return settings;
}

constexpr ClassifySettings roce_v2() {
    ClassifySettings settings;
    settings.order = {PrioritySource::roce};
    settings.dscp_to_priority[26] = 3;
    settings.dscp_to_priority[48] = 6;
    return settings;
}

}  // namespace profiles

// Indexed like `profile_names`.
inline constexpr std::array<ClassifySettings, profile_names.size()> classify_profiles = {
    ClassifySettings{}, profiles::by_pcp({0, 1, 2, 3, 4, 5, 6, 7}),
    profiles::by_pcp({0, 1, 0, 2, 2, 3, 3, 3}), profiles::roce_v2()};

}  // namespace sluice::config
