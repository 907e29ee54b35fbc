// The collectors of a protocol, as JSON, for the nouns `sflow` and `ipfix`.
#pragma once

#include "control/export/collectors.h"
#include "control/show/snapshot.h"

namespace sluice::control {

inline Json collectors_of(const Collectors& collectors) {
    Json rows = Json::array();
    for (const auto& collector : collectors.all()) {
        rows.push_back({{"collector", collector->endpoint()},
                        {"reachable", collector->is_reachable()},
                        {"why", collector->is_reachable() ? std::string() : collector->why()},
                        {"sent", collector->sent()},
                        {"lost", collector->lost()}});
    }
    return rows;
}

}  // namespace sluice::control
