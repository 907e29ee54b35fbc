#include "tools/sluice/noun_views.h"

#include <fmt/format.h>

namespace sluice::cli {

namespace {

constexpr Column dcbx_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"MODE", "mode", Format::text, 3},
    {"DIALECT", "dialect", Format::text, 3},
    {"FEATURE", "feature", Format::text, 0},
    {"WILLING", "willing", Format::yes_no, 2},
    {"PEER IS", "peer_willing", Format::yes_no, 2},
    {"HERE", "oper_text", Format::prose, 0},
    {"AT THE PEER", "peer_text", Format::prose, 0},
    {"TAKEN", "from_peer", Format::yes_no, 2},
    {"PENDING", "pending", Format::yes_no},
    {"PEER FAULTS", "peer_faults", Format::list},
    {"MISMATCH", "mismatch_reason"},
    {"SO FAR", "mismatches", Format::count, 3},
};
constexpr Column dcbx_peer_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"FEATURE", "feature", Format::text, 0},
    {"THE PEER CAN", "peer_can", Format::prose},
    {"RECOMMENDS TO US", "recommended_text", Format::prose},
};

// Returns capabilities of ETS and PFC, such as `3 classes, credit-based shaper` and `2 paused at a
// time`.
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

std::string dcbx_view(Sheet& sheet, const Json& result) {
    Json rows = result;
    Json peers = Json::array();
    for (Json& row : rows) {
        row["peer_can"] = dcbx_abilities(row);
        const uint64_t several = row.at("peers").is_null() ? 0 : row.at("peers").get<uint64_t>();
        if (several > 1) row["peer_text"] = fmt::format("{} peers: all are ignored", several);
        if (!row["peer_can"].is_null() || !row.at("recommended").is_null()) peers.push_back(row);
    }
    if (rows.empty()) return "DCBX is disabled on every port.\n";
    const std::string agreed = sheet.table(rows, dcbx_columns);
    return below(agreed, sheet.table(peers, dcbx_peer_columns));
}

}  // namespace sluice::cli
