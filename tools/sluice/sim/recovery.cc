#include "tools/sluice/sim/recovery.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr std::array recovery_columns = {
    Column{"sends again", "flow", Format::text},
    Column{"sent again", "retransmitted", Format::count},
    Column{"refused", "refused", Format::count},
    Column{"trimmed", "trimmed", Format::count},
    Column{"goodput", "goodput_bps", Format::rate},
};

}  // namespace

void add_recovery(Json& row, const sim::RecoveryResult& result) {
    row["retransmitted"] = result.retransmitted;
    row["refused"] = result.refused;
    row["trimmed"] = result.trimmed;
    row["goodput_bps"] = result.goodput;
}

std::string recovery_table(const Json& flows) {
    Json rows = Json::array();
    for (const Json& flow : flows) {
        if (flow.contains("retransmitted")) rows.push_back(flow);
    }
    return rows.empty() ? "" : '\n' + render_table(rows, recovery_columns);
}

}  // namespace sluice::cli
