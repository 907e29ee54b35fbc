#include "tools/sluice/sim/link.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "tools/sluice/sim/ranged_option.h"

namespace sluice::cli {

namespace {

constexpr unsigned longest_delay = 10'000;
constexpr unsigned most_cells = 100'000;
constexpr uint64_t most_link_slots = 1'000'000;

constexpr std::array link_columns = {
    Column{"slot", "slot", Format::number},
    Column{"credits", "credits", Format::number},
    Column{"sends", "sends", Format::text},
    Column{"on the way there", "cells_under_way", Format::text},
    Column{"arrives", "arrives", Format::text},
    Column{"buffer", "buffer", Format::text},
    Column{"takes", "takes", Format::text},
    Column{"on the way back", "signals_under_way", Format::text},
};

std::optional<uint64_t> whole(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// Parses "5-9", or "5-" for a window without an end.
std::optional<sim::SlotWindow> window_of(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto from = whole(text.substr(0, dash));
    if (!from) return std::nullopt;
    if (dash + 1 == text.size()) return sim::SlotWindow{.from = *from};
    const auto until = whole(text.substr(dash + 1));
    if (!until || *until < *from) return std::nullopt;
    return sim::SlotWindow{*from, *until};
}

std::string why_no_window(const std::string& text) {
    return window_of(text) ? std::string()
                           : fmt::format(
                                 "{} is no span of slots; write 5-9 from 5 to before 9, or "
                                 "5- for ever",
                                 text);
}

std::vector<sim::SlotWindow> windows_of(const std::vector<std::string>& texts) {
    std::vector<sim::SlotWindow> windows;
    for (const std::string& text : texts) windows.push_back(*window_of(text));
    return windows;
}

// Returns a text of the things in their order on the link; for a long link only their number.
template <class Things, class Show>
std::string joined(const Things& things, Show show) {
    constexpr std::size_t longest_shown = 16;
    if (things.size() > longest_shown) {
        const auto none = std::ranges::count(things, typename Things::value_type{0});
        return fmt::format("{} of {}", things.size() - static_cast<std::size_t>(none),
                           things.size());
    }
    std::string text;
    for (const auto& thing : things) {
        text += fmt::format("{}{}", text.empty() ? "" : " ", show(thing));
    }
    return text;
}

std::string number_or_dot(uint64_t number) { return number == 0 ? "." : std::to_string(number); }

}  // namespace

SimLink::SimLink(CLI::App& command) {
    command.add_option("CONTROL", control_, "What holds the sender back")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>{"credit", "xon_xoff"}));
    add_credit(command);
    add_levels(command);
    add_schedules(command);
}

void SimLink::add_credit(CLI::App& command) {
    add_ranged(command, "--delay", settings_.delay, "Of the link one way, in slots", 1,
               longest_delay);
    add_ranged(command, "--room", settings_.room, "Of the receiver's buffer, in cells", 1,
               most_cells);
    credits_given_ = add_ranged(command, "--credits", settings_.credits, "At the sender in slot 0",
                                0, most_cells)
                         ->default_str("the room less --returning");
    returning_given_ = add_ranged(command, "--returning", settings_.returning,
                                  "Given back in slot 0 beside", 0, most_cells)
                           ->default_str("half of the room");
}

void SimLink::add_levels(CLI::App& command) {
    const auto add = [&](const char* name, unsigned& into, const char* help,
                         const char* otherwise) {
        return command.add_option(name, into, help)
            ->type_name("N")
            ->check(CLI::Range(0U, most_cells))
            ->default_str(otherwise);
    };
    xoff_given_ =
        add("--xoff", settings_.xoff, "XOFF at so many cells", "what leaves headroom for the loop");
    xon_given_ = add("--xon", settings_.xon, "XON at so few cells", "one below --xoff");
    reaction_given_ =
        add("--reaction", settings_.reaction, "Of the sender to XOFF and XON, in slots", "0");
}

void SimLink::add_schedules(CLI::App& command) {
    add_ranged(command, "--take-every", settings_.take_every,
               "Slots from one cell taken to the next", 1, longest_delay);
    command
        .add_option("--stall", stalls_, "The receiver takes nothing: 0-12,30-40, or 20- for ever")
        ->type_name("SLOTS")
        ->delimiter(',')
        ->check(why_no_window)
        ->default_str("0-12");
    command.add_option("--sending", sending_, "The sender has cells")
        ->type_name("SLOTS")
        ->delimiter(',')
        ->check(why_no_window)
        ->default_str("always");
    add_ranged(command, "--rows", slots_, "Slots, a row each", 1, most_link_slots);
}

// Checks rules between options, and fills in options that were not given.
void SimLink::complete() {
    settings_.stalls = windows_of(stalls_);
    settings_.sending = windows_of(sending_);
    const bool by_credit = control_ == "credit";
    settings_.control = by_credit ? sim::LinkControl::credit : sim::LinkControl::xon_xoff;
    for (const CLI::Option* option : {credits_given_, returning_given_}) {
        if (*option && !by_credit) {
            throw CLI::ValidationError(option->get_name(),
                                       "only credit has it; sluice sim link credit");
        }
    }
    for (const CLI::Option* option : {xoff_given_, xon_given_, reaction_given_}) {
        if (*option && by_credit) {
            throw CLI::ValidationError(option->get_name(),
                                       "only xon_xoff has it; sluice sim link xon_xoff");
        }
    }
    if (!*returning_given_) {
        settings_.returning = settings_.room / 2;
        if (*credits_given_) {
            settings_.returning = settings_.room - std::min(settings_.room, settings_.credits);
        }
    }
    if (!*credits_given_) {
        settings_.credits = settings_.room - std::min(settings_.room, settings_.returning);
    }
    const unsigned headroom = 2 * settings_.delay + settings_.reaction - 1;
    if (!*xoff_given_) {
        settings_.xoff = settings_.room > headroom ? settings_.room - headroom : 1;
    }
    if (settings_.xoff == 0 || settings_.xoff > settings_.room) {
        throw CLI::ValidationError("--xoff", fmt::format("{} is never reached, or always; write 1 "
                                                         "to the {} of --room",
                                                         settings_.xoff, settings_.room));
    }
    if (!*xon_given_) settings_.xon = settings_.xoff - 1;
    if (settings_.xon >= settings_.xoff) {
        throw CLI::ValidationError("--xon",
                                   fmt::format("{} is not below the {} of --xoff; write "
                                               "{} or less",
                                               settings_.xon, settings_.xoff, settings_.xoff - 1));
    }
}

Json SimLink::row_of(const sim::LinkSlot& slot, const sim::Link& link) const {
    const bool by_credit = settings_.control == sim::LinkControl::credit;
    Json row = {{"slot", slot.slot},       {"sent", slot.sent},      {"held", slot.held},
                {"arrived", slot.arrived}, {"lost", slot.lost},      {"buffered", slot.buffered},
                {"taken", slot.taken},     {"starved", slot.starved}};
    if (by_credit) row["credits"] = slot.credits;
    row["cells_under_way"] = joined(link.cells_under_way(), number_or_dot);
    row["signals_under_way"] = joined(link.signals_under_way(), [&](uint32_t signal) {
        if (by_credit || signal == 0) return number_or_dot(signal);
        return std::string(signal == sim::xoff_signal ? "XOFF" : "XON");
    });
    return row;
}

std::string SimLink::title() const {
    const std::string loop =
        fmt::format("delay {} slots one way, so {} cells in a round trip; room for {}",
                    settings_.delay, 2 * settings_.delay, settings_.room);
    if (settings_.control == sim::LinkControl::credit) {
        return fmt::format("Credits: {}; {} at the sender and {} on their way back", loop,
                           settings_.credits, settings_.returning);
    }
    return fmt::format("XON and XOFF: {}; XOFF at {}, XON at {}, reaction {}", loop, settings_.xoff,
                       settings_.xon, settings_.reaction);
}

Json SimLink::inputs() const {
    Json inputs = {{"link", control_},       {"delay", settings_.delay},
                   {"room", settings_.room}, {"take_every", settings_.take_every},
                   {"stalls", stalls_},      {"sending", sending_}};
    if (settings_.control == sim::LinkControl::credit) {
        inputs["initial_credits"] = settings_.credits;
        inputs["returning"] = settings_.returning;
    } else {
        inputs["xoff"] = settings_.xoff;
        inputs["xon"] = settings_.xon;
        inputs["reaction"] = settings_.reaction;
    }
    return inputs;
}

void SimLink::run(Output output) {
    complete();
    sim::Link link(settings_);
    sim::LinkOutcome outcome;
    Json rows = Json::array();
    for (uint64_t n = 0; n < slots_; ++n) {
        const sim::LinkSlot slot = link.step();
        outcome.count(slot);
        rows.push_back(row_of(slot, link));
    }
    if (output == Output::csv) return print_csv(rows);
    if (output == Output::json) {
        Json all = inputs();
        all.update({{"sent", outcome.sent},
                    {"lost", outcome.lost},
                    {"taken", outcome.taken},
                    {"held_slots", outcome.held},
                    {"starved_slots", outcome.starved},
                    {"most_buffered", outcome.most_buffered},
                    {"slots", rows}});
        return print_json(all);
    }
    for (Json& row : rows) {
        row["sends"] = row["held"] == true ? "held" : number_or_dot(row["sent"]);
        row["arrives"] = number_or_dot(row["arrived"]) + (row["lost"] == true ? " LOST" : "");
        row["buffer"] = fmt::format("{}/{}", row["buffered"].get<unsigned>(), settings_.room);
        row["takes"] = row["starved"] == true ? "starved" : number_or_dot(row["taken"]);
    }
    const std::span<const Column> shown(link_columns);
    std::vector<Column> without_credits = {shown.begin(), shown.end()};
    if (settings_.control != sim::LinkControl::credit) {
        without_credits.erase(without_credits.begin() + 1);
    }
    fmt::print(
        "{}\n\n{}\n{} cell(s) sent, {} lost, {} taken; held for {} slot(s), starved for {}; at "
        "most {} in the buffer.\n",
        title(), render_table(rows, without_credits), outcome.sent, outcome.lost, outcome.taken,
        outcome.held, outcome.starved, outcome.most_buffered);
}

}  // namespace sluice::cli
