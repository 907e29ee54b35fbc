#include "tools/sluice/noun_views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

namespace sluice::cli {

namespace {

constexpr auto burst_columns = std::to_array<Column>({
    {"AT", "at", Format::moment, 0},
    {"PORT", "port", Format::text, 0},
    {"PRI", "priority", Format::number, 0},
    {"LENGTH", "length_ns", Format::nanos, 0},
    {"PEAK", "peak_bytes", Format::size, 0},
    {"FRAMES", "frames", Format::count, 1},
    {"FED BY", "sources", Format::prose, 0},
    {"DROPPED", "dropped", Format::count, 0},
    {"XOFFS", "xoffs", Format::count, 1},
    {"MARKED", "marked", Format::count, 2},
    {"PAUSED FOR", "paused_ns", Format::nanos, 2},
    {"PEAK AFTER", "peak_after_ns", Format::nanos, 3},
    {"SINCE SAMPLE", "since_sample_ns", Format::nanos, 3},
    {"IS CUT", "cut", Format::text, 3},
    {"TRIGGER", "trigger", Format::text, 3},
    {"RECORDING", "recording", Format::number, 2},
});

constexpr auto recording_columns = std::to_array<Column>({
    {"RECORDING", "recording", Format::number, 0},
    {"AT", "at", Format::moment, 0},
    {"TRIGGER", "trigger", Format::text, 0},
    {"PORT", "port", Format::text, 0},
    {"PRI", "priority", Format::number, 0},
    {"BEFORE", "before_ns", Format::nanos},
    {"AFTER", "after_ns", Format::nanos},
    {"ENTRIES", "entries", Format::count},
    {"BURSTS", "bursts", Format::count, 0},
});

uint64_t frames_at(const Json& row, const char* key) {
    const Json& value = row.at(key);
    return value.is_number_integer() ? value.get<uint64_t>() : 0;
}

// Returns `p0 40, p1 24`: the frames of each source port, including dropped ones.
std::string sources_of(const Json& burst) {
    constexpr std::size_t most = 3;
    std::vector<std::string> sources;
    for (const Json& feeder : burst.at("fed_by")) {
        if (!feeder.is_object()) continue;
        if (sources.size() == most) {
            sources.emplace_back("...");
            break;
        }
        sources.push_back(fmt::format("{} {}", show_cell(feeder.at("port"), Format::text),
                                      frames_at(feeder, "frames") + frames_at(feeder, "dropped")));
    }
    return fmt::format("{}", fmt::join(sources, ", "));
}

}  // namespace

std::string bursts_view(Sheet& sheet, const Json& result) {
    if (result.empty()) {
        return "No burst was recorded; `sluice show recorder` shows whether queues are recorded.\n";
    }
    Json rows = result;
    for (Json& row : rows) {
        row["sources"] = sources_of(row);
        const bool began_before = row.at("began_before") == true;
        const bool goes_on = row.at("goes_on") == true;
        row["cut"] = began_before && goes_on ? "both" : began_before ? "start" : "end";
        if (!began_before && !goes_on) row["cut"] = nullptr;
    }
    return sheet.table(rows, burst_columns);
}

std::string recorder_view(Sheet& sheet, const Json& result) {
    if (!result.contains("period_ns")) return "Nothing is recorded.\n";
    const auto cell = [&](const char* key, Format format) {
        return show_cell(result.at(key), format);
    };
    const std::string state =
        result.at("recording") == true
            ? fmt::format("Records every {}, at most {} apart; triggers: {}.",
                          cell("period_ns", Format::nanos), cell("longest_ns", Format::nanos),
                          cell("triggers", Format::list))
            : std::string("Queues are not recorded; `sluice record start` begins.");
    const std::string text =
        fmt::format("{}\n{} samples, {} lost; {} recordings made, {} bursts found.\n", state,
                    cell("samples", Format::count), cell("samples_lost", Format::count),
                    cell("made", Format::count), cell("bursts", Format::count));
    return below(text, sheet.table(result.at("recordings"), recording_columns));
}

}  // namespace sluice::cli
