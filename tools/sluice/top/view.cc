#include "tools/sluice/top/view.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "tools/common/quantities.h"

namespace sluice::cli::top {

namespace {

// Octets of each frame on the wire that counters leave out: preamble, FCS and the gap (802.3
// clause 4).
constexpr double octets_around = 24;

const std::array<View, 4> all = {
    View{.name = "ports",
         .noun = "ports",
         .what = "frames and octets in and out, and load of each link",
         .identity = {"name"},
         .columns = {{"PORT", "name"},
                     {"LINK", "link"},
                     {"RX", "rx_frames", Measure::rises},
                     {"TX", "tx_frames", Measure::rises},
                     {"RX %", "rx", Measure::wire_share},
                     {"TX %", "tx", Measure::wire_share},
                     {"DROPS", "dropped", Measure::rises},
                     {"RX BITS", "rx_bytes", Measure::bits},
                     {"TX BITS", "tx_bytes", Measure::bits},
                     {"RATE", "rate_bps", Measure::bits},
                     {"DROPPED", "dropped", Measure::count},
                     {"DEVICE", "device"}},
         .bar = 5},
    View{.name = "queues",
         .noun = "queues",
         .what = "frames that wait, by input and output, and their highest number",
         .identity = {"input", "output", "priority"},
         .columns = {{"INPUT", "input"},
                     {"OUTPUT", "output"},
                     {"PRI", "priority", Measure::number},
                     {"HOLDS", "bytes", Measure::size},
                     {"OF MOST", "bytes", Measure::of, "max_bytes"},
                     {"IN", "enqueued", Measure::rises},
                     {"OUT", "dequeued", Measure::rises},
                     {"DROPS", "dropped", Measure::rises},
                     {"FRAMES", "frames", Measure::count},
                     {"AT MOST", "max_bytes", Measure::size},
                     {"DROPPED", "dropped", Measure::count}},
         .bar = 4},
    View{.name = "pauses",
         .noun = "pfc",
         .what = "pauses from the peer, pauses to the peer, and the output that causes them",
         .identity = {"port", "priority"},
         .columns = {{"PORT", "port"},
                     {"PRI", "priority", Measure::number},
                     {"HELD", "paused_ns", Measure::time_share},
                     {"HOLDS", "pausing_ns", Measure::time_share},
                     {"XOFF RX", "rx_pause", Measure::rises},
                     {"XOFF TX", "tx_pause", Measure::rises},
                     {"BECAUSE OF", "because_of", Measure::list},
                     {"WATCHDOG", "watchdog"},
                     {"STORMS", "storms", Measure::count},
                     {"HOLDS UP", "holds_up", Measure::list}},
         .bar = 2},
    View{.name = "buffer",
         .noun = "buffer",
         .rows = "/groups",
         .what = "buffer used by each priority of a port, and its XOFF threshold",
         .identity = {"port", "priority"},
         .columns = {{"PORT", "port"},
                     {"PRI", "priority", Measure::number},
                     {"LOSSLESS", "lossless", Measure::yes_no},
                     {"HOLDS", "occupancy_bytes", Measure::size},
                     {"OF XOFF", "occupancy_bytes", Measure::of, "xoff_bytes"},
                     {"HEADROOM", "headroom_used", Measure::of, "headroom_bytes"},
                     {"AT MOST", "occupancy_max", Measure::size},
                     {"XOFF", "xoff_bytes", Measure::size},
                     {"XON", "xon_bytes", Measure::size}},
         .bar = 4},
};

const Json& rows_in(const View& view, const Json& answer) {
    static const Json none = Json::array();
    if (answer.is_null()) return none;
    if (view.rows.empty()) return answer;
    const Json::json_pointer place{std::string(view.rows)};
    return answer.contains(place) ? answer[place] : none;
}

std::string identity_of(const View& view, const Json& row) {
    std::string name;
    for (const std::string_view key : view.identity) name += row.at(key).dump() + ' ';
    return name;
}

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// The switch shows null for a value that does not exist.
std::optional<double> number_in(const Json& row, std::string_view key) {
    const auto value = row.find(key);
    if (value == row.end() || !value->is_number()) return {};
    return value->get<double>();
}

// Change: the increase of a row's counters, if both snapshots have that row.
class Change {
  public:
    Change(const Json* before, const Json& after, double seconds)
        : before_(before), after_(after), seconds_(seconds) {}

    // Returns the increase a second.
    [[nodiscard]] std::optional<double> rise(std::string_view key) const {
        if (before_ == nullptr) return {};
        const double rise =
            number_in(after_, key).value_or(none) - number_in(*before_, key).value_or(none);
        return rise >= 0 ? rise / seconds_ : std::optional<double>();
    }
    [[nodiscard]] std::optional<double> wire_share(std::string_view side) const {
        const std::string of(side);
        const auto frames = rise(of + "_frames");
        const auto octets = rise(of + "_bytes");
        const auto rate = number_in(after_, "rate_bps");
        if (!frames || !octets || !rate || *rate <= 0) return {};
        return (*octets + *frames * octets_around) * 8 / *rate;
    }

  private:
    const Json* before_;
    const Json& after_;
    double seconds_;
};

Cell shown(std::optional<double> value, std::string (*as_text)(double)) {
    if (!value) return {.text = "-"};
    return {.text = as_text(*value), .value = *value};
}
Cell shown(const Json& value, Format format, bool to_the_left) {
    Cell cell{.text = show_cell(value, format), .to_the_left = to_the_left};
    if (value.is_number()) cell.value = value.get<double>();
    if (value.is_boolean()) cell.value = value.get<bool>() ? 1 : 0;
    return cell;
}

std::optional<double> share_of(const Json& row, const Column& column) {
    const auto part = number_in(row, column.key);
    const auto whole = number_in(row, column.other);
    if (!part || !whole || *whole <= 0) return {};
    return *part / *whole;
}

Cell cell_of(const Column& column, const Json& row, const Change& change) {
    constexpr double nanos_a_second = 1e9;
    const bool is_there = column.measure == Measure::wire_share ||
                          (row.contains(column.key) && !row.at(column.key).is_null());
    if (!is_there) return {.text = "-"};
    switch (column.measure) {
        case Measure::text:
            return shown(row.at(column.key), Format::text, true);
        case Measure::list:
            return shown(row.at(column.key), Format::list, true);
        case Measure::yes_no:
            return shown(row.at(column.key), Format::yes_no, true);
        case Measure::number:
            return shown(row.at(column.key), Format::number, false);
        case Measure::count:
            return shown(row.at(column.key), Format::count, false);
        case Measure::size:
            return shown(row.at(column.key), Format::size, false);
        case Measure::rises:
            return shown(change.rise(column.key), show_per_second);
        case Measure::bits: {
            if (column.key == "rate_bps") return shown(row.at(column.key), Format::rate, false);
            const auto octets = change.rise(column.key);
            return shown(octets ? *octets * 8 : octets, show_rate);
        }
        case Measure::wire_share:
            return shown(change.wire_share(column.key), show_share);
        case Measure::time_share: {
            const auto nanos = change.rise(column.key);
            return shown(nanos ? std::min(*nanos / nanos_a_second, 1.0) : nanos, show_share);
        }
        case Measure::of:
            return shown(share_of(row, column), show_share);
    }
    return {};
}

}  // namespace

std::span<const View> views() { return all; }

std::vector<Row> rows_of(const View& view, const Json& before, const Json& after, double seconds) {
    std::map<std::string, const Json*> old;
    for (const Json& row : rows_in(view, before)) old[identity_of(view, row)] = &row;
    std::vector<Row> rows;
    for (const Json& row : rows_in(view, after)) {
        const auto found = old.find(identity_of(view, row));
        const Change change(found == old.end() ? nullptr : found->second, row, seconds);
        Row& cells = rows.emplace_back();
        for (const Column& column : view.columns) cells.push_back(cell_of(column, row, change));
    }
    return rows;
}

}  // namespace sluice::cli::top
