#include "tools/sluice/dcbx_view.h"

#include <fmt/format.h>

namespace sluice::cli {

namespace {

constexpr Column dcbx_columns[] = {
    {"PORT", "port"},
    {"MODE", "mode"},
    {"DIALECT", "dialect"},
    {"FEATURE", "feature"},
    {"WILLING", "willing", Format::yes_no},
    {"PEER IS", "peer_willing", Format::yes_no},
    {"HERE", "oper_text"},
    {"AT THE PEER", "peer_text"},
    {"TAKEN", "from_peer", Format::yes_no},
    {"PENDING", "pending", Format::yes_no},
    {"PEER FAULTS", "peer_faults", Format::list},
    {"MISMATCH", "mismatch_reason"},
    {"SO FAR", "mismatches", Format::count},
};
constexpr Column dcbx_peer_columns[] = {
    {"PORT", "port"},
    {"FEATURE", "feature"},
    {"THE PEER CAN", "peer_can"},
    {"RECOMMENDS TO US", "recommended_text"},
};

// `3 classes, credit-based shaper`, `2 paused at a time`: of ETS and of PFC.
Json dcbx_abilities(const Json& row) {
    std::string text;
    const auto add = [&](std::string_view more) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", more);
    };
    const Json& classes = row.at("peer_max_classes");
    const Json& paused = row.at("peer_pfc_capability");
    if (!classes.is_null()) add(fmt::format("{} classes", classes.get<unsigned>()));
    if (row.at("peer_credit_based_shaper") == true) add("credit-based shaper");
    if (!paused.is_null()) add(fmt::format("{} paused at a time", paused.get<unsigned>()));
    if (row.at("peer_macsec_bypass") == true) add("MACsec bypass");
    return text.empty() ? Json() : Json(text);
}

}  // namespace

std::string dcbx_view(const Json& result) {
    Json rows = result;
    Json peers = Json::array();
    for (Json& row : rows) {
        row["peer_can"] = dcbx_abilities(row);
        const auto several = row.at("peers").get<std::size_t>();
        if (several > 1) row["peer_text"] = fmt::format("{} peers: none counts", several);
        if (!row["peer_can"].is_null() || !row.at("recommended").is_null()) peers.push_back(row);
    }
    if (rows.empty()) return "DCBX is disabled on every port.\n";
    const std::string agreed = render_table(rows, dcbx_columns);
    return peers.empty() ? agreed : agreed + '\n' + render_table(peers, dcbx_peer_columns);
}

}  // namespace sluice::cli
