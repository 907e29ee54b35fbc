#include "tools/sluice/noun_views.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto retry_sender_columns = std::to_array<Column>({
    {"PORT", "port", Format::text, 0},
    {"STATE", "state"},
    {"SENT", "sent", Format::count},
    {"AGAIN", "replayed", Format::count},
    {"TIMEOUTS", "timeouts", Format::count},
    {"GIVEN UP", "given_up", Format::count},
    {"ACTION", "action"},
    {"WITHOUT", "unnumbered", Format::count},
    {"BUFFER", "buffer_bytes", Format::size},
    {"USED", "used_bytes", Format::size},
    {"MOST", "most_used_bytes", Format::size},
});

constexpr auto retry_receiver_columns = std::to_array<Column>({
    {"PORT", "port", Format::text, 0},
    {"RECEIVER", "receiver"},
    {"TAKEN", "taken", Format::count},
    {"KEPT", "kept", Format::count},
    {"DROPPED", "missing", Format::count},
    {"TWICE", "duplicates", Format::count},
    {"NACKS", "nacks", Format::count},
    {"WHY", "why", Format::prose},
});

}  // namespace

std::string retry_view(Sheet& sheet, const Json& result) {
    if (result.empty()) return "No port has link-level retry.\n";
    const std::string senders = sheet.table(result, retry_sender_columns);
    return below(senders, sheet.table(result, retry_receiver_columns));
}

}  // namespace sluice::cli
