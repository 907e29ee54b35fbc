#include "tools/sluice/credits_view.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto credit_columns = std::to_array<Column>({
    {"PORT", "port"},
    {"PRIORITY", "priority", Format::number},
    {"STATE", "state"},
    {"MAY SEND", "available_bytes", Format::size},
    {"BLOCKED", "blocked_ns", Format::nanos},
    {"BUFFER", "buffer_bytes", Format::size},
    {"USED", "used_bytes", Format::size},
});

constexpr auto credit_update_columns = std::to_array<Column>({
    {"PORT", "port"},
    {"UPDATES SENT", "updates_sent", Format::count},
    {"RECEIVED", "updates_received", Format::count},
    {"LOST", "updates_lost", Format::count},
    {"FRAMES LOST", "lost_bytes", Format::size},
    {"WHY", "why"},
});

}  // namespace

std::string credits_view(const Json& result) {
    if (result.at("ports").empty()) return "No port goes by credit.\n";
    return render_table(result.at("priorities"), credit_columns) + '\n' +
           render_table(result.at("ports"), credit_update_columns);
}

}  // namespace sluice::cli
