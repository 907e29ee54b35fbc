#include "tools/sluice/noun_views.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto credit_columns = std::to_array<Column>({
    {"PORT", "port", Format::text, 0},
    {"PRIORITY", "priority", Format::number, 0},
    {"STATE", "state"},
    {"MAY SEND", "available_bytes", Format::size},
    {"BLOCKED", "blocked_ns", Format::nanos},
    {"BUFFER", "buffer_bytes", Format::size},
    {"USED", "used_bytes", Format::size},
});

constexpr auto credit_update_columns = std::to_array<Column>({
    {"PORT", "port", Format::text, 0},
    {"UPDATES SENT", "updates_sent", Format::count},
    {"RECEIVED", "updates_received", Format::count},
    {"LOST", "updates_lost", Format::count},
    {"FRAMES LOST", "lost_bytes", Format::size},
    {"WHY", "why", Format::prose},
});

}  // namespace

std::string credits_view(Sheet& sheet, const Json& result) {
    if (result.at("ports").empty()) return "No port uses credit.\n";
    const std::string priorities = sheet.table(result.at("priorities"), credit_columns);
    return below(priorities, sheet.table(result.at("ports"), credit_update_columns));
}

}  // namespace sluice::cli
