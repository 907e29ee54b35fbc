#include "tools/sluice/sim/retry.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <functional>

#include "tools/sim/side_by_side.h"
#include "tools/sluice/sim/ranged_option.h"

namespace sluice::cli {

namespace {

constexpr unsigned most_retry_links = 64;
constexpr unsigned longest_way = 10'000;
constexpr uint64_t most_retry_slots = 1'000'000'000;
constexpr double most_retry_loss = 0.5;
constexpr unsigned most_replays = 1'000'000;

constexpr std::array retry_columns = {
    Column{"loss", "loss_shown", Format::text},
    Column{"recovery", "recovery", Format::text},
    Column{"goodput", "goodput_shown", Format::text},
    Column{"lost", "lost", Format::count},
    Column{"mean delay", "mean_delay", Format::decimal},
    Column{"p99", "delay_p99", Format::count},
    Column{"kept", "most_kept", Format::count},
    Column{"buffer", "most_buffered", Format::count},
    Column{"again", "cells_again", Format::count},
};

std::vector<std::string> recovery_names() {
    std::vector<std::string> names = {"all"};
    for (const auto& known : sim::link_recoveries) names.emplace_back(known.name);
    return names;
}

Json row_of(const sim::RetryLinkSettings& settings, const sim::RetryLinkOutcome& outcome) {
    const auto named =
        std::ranges::find(sim::link_recoveries, settings.recovery, &sim::NamedRecovery::recovery);
    return {{"loss", settings.faults.loss},
            {"recovery", named->name},
            {"given", outcome.given},
            {"delivered", outcome.delivered},
            {"goodput", outcome.goodput},
            {"lost", outcome.lost},
            {"overflowed", outcome.overflowed},
            {"doubled", outcome.doubled},
            {"out_of_order", outcome.out_of_order},
            {"mean_delay", outcome.mean_delay},
            {"delay_p50", outcome.delay_p50},
            {"delay_p99", outcome.delay_p99},
            {"most_kept", outcome.most_kept},
            {"most_buffered", outcome.most_buffered},
            {"most_behind_a_gap", outcome.most_behind_a_gap},
            {"cells_again", outcome.cells_again},
            {"replays", outcome.replays},
            {"timeouts", outcome.timeouts},
            {"flushes", outcome.flushes},
            {"cc_updates", outcome.cc_updates},
            {"cf_updates", outcome.cf_updates},
            {"credits_recovered", outcome.credits_recovered}};
}

}  // namespace

SimRetry::SimRetry(CLI::App& command) {
    command.add_option("RECOVERY", recoveries_, "How losses are met; several: pfc,retry")
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember(recovery_names()));
    add_links(command);
    add_cbfc(command);
    add_faults(command);
}

void SimRetry::add_links(CLI::App& command) {
    add_ranged(command, "--links", settings_.links, "In a row", 1, most_retry_links);
    add_ranged(command, "--one-way-delay", settings_.delay, "Of a link, in slots", 1, longest_way);
    add_ranged(command, "--offered", settings_.offered, "Cells a slot", 0.0, 1.0, "SHARE");
    add_ranged(command, "--stall-every", settings_.stall_every, "The sink stalls; 0: never", 0,
               most_retry_slots, "SLOTS");
    add_ranged(command, "--stall-for", settings_.stall_for, "And takes nothing so long", 0,
               most_retry_slots, "SLOTS");
    add_ranged(command, "--replays", settings_.replays,
               "In vain, until a sender gives up; 0: never", 0, most_replays);
    add_ranged(command, "--run-slots", settings_.slots, "Of each row", 1, most_retry_slots);
}

void SimRetry::add_cbfc(CLI::App& command) {
    add_ranged(command, "--vcs", settings_.cbfc.vcs, "Virtual channels of CBFC", 1,
               sim::most_cbfc_vcs);
    add_ranged(command, "--cc-timer", settings_.cbfc.cc_timer,
               "Between CC_Updates of CBFC; 0: none, so credit of lost cells leaks", 0,
               most_retry_slots, "SLOTS");
}

void SimRetry::add_faults(CLI::App& command) {
    const auto add = [&](const char* name, double& into, const char* help) {
        command.add_option(name, into, help)
            ->type_name("SHARE")
            ->check(CLI::Range(0.0, most_retry_loss))
            ->capture_default_str();
    };
    command.add_option("--loss", losses_, "Share of cells that a link loses: 1e-4,1e-3")
        ->type_name("SHARE,...")
        ->delimiter(',')
        ->check(CLI::Range(0.0, most_retry_loss))
        ->default_str("1e-9 to 1e-2");
    add_ranged(command, "--loss-burst", settings_.faults.burst,
               "Slots that a loss lasts on average", 1.0, 10'000.0, "SLOTS");
    command
        .add_option("--lost-cells", settings_.faults.list,
                    "Besides: these that a link carries, from 0: 17,18,40")
        ->type_name("N,...")
        ->delimiter(',');
    command.add_flag("--vanish", vanish_,
                     "Lost frames do not arrive, instead of arriving with a wrong FCS");
    add("--doubled", settings_.faults.doubled, "Of cells, that arrive twice");
    add("--out-of-order", settings_.faults.out_of_order, "Of cells, that the next overtakes");
    command.add_flag("--lossless-return", settings_.one_way,
                     "Acknowledgements, credits, XOFF and XON are never lost");
}

void SimRetry::complete(uint64_t seed) {
    settings_.seed = seed;
    settings_.faults.is_damage_seen = !vanish_;
    if (!std::ranges::is_sorted(settings_.faults.list, std::less_equal<>())) {
        throw CLI::ValidationError("--lost-cells", "they do not rise; write each once, in order");
    }
    if (settings_.stall_every > 0 && settings_.stall_for >= settings_.stall_every) {
        throw CLI::ValidationError(
            "--stall-for", fmt::format("the sink never takes a cell; write less than the {} of "
                                       "--stall-every",
                                       settings_.stall_every));
    }
}

std::vector<sim::RetryLinkSettings> SimRetry::runs() const {
    const bool all = std::ranges::count(recoveries_, "all") > 0;
    std::vector<sim::RetryLinkSettings> runs;
    for (const double loss : losses_) {
        for (const auto& known : sim::link_recoveries) {
            if (!all && std::ranges::count(recoveries_, known.name) == 0) continue;
            runs.push_back(settings_);
            runs.back().recovery = known.recovery;
            runs.back().faults.loss = loss;
        }
    }
    return runs;
}

Json SimRetry::inputs() const {
    return {{"links", settings_.links},
            {"one_way_delay", settings_.delay},
            {"offered", settings_.offered},
            {"stall_every", settings_.stall_every},
            {"stall_for", settings_.stall_for},
            {"replays", settings_.replays},
            {"run_slots", settings_.slots},
            {"vcs", settings_.cbfc.vcs},
            {"cc_timer", settings_.cbfc.cc_timer},
            {"loss_burst", settings_.faults.burst},
            {"lost_cells", settings_.faults.list},
            {"vanish", vanish_},
            {"doubled", settings_.faults.doubled},
            {"out_of_order", settings_.faults.out_of_order},
            {"lossless_return", settings_.one_way},
            {"seed", settings_.seed}};
}

void SimRetry::run(uint64_t seed, Output output) {
    complete(seed);
    const auto wanted = runs();
    std::vector<sim::RetryLinkOutcome> outcomes(wanted.size());
    sim::side_by_side(
        wanted.size(), [&](std::size_t n) { outcomes[n] = sim::simulate(wanted[n]); },
        [](std::size_t) {});
    Json rows = Json::array();
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        rows.push_back(row_of(wanted[n], outcomes[n]));
    }
    if (output == Output::csv) return print_csv(rows);
    if (output == Output::json) {
        Json all = inputs();
        all["rows"] = rows;
        return print_json(all);
    }
    for (Json& row : rows) {
        row["loss_shown"] = fmt::format("{:.0e}", row["loss"].get<double>());
        row["goodput_shown"] = fmt::format("{:.4f}", row["goodput"].get<double>());
    }
    fmt::print(
        "{} link(s) of {} slots one way, {} cells a slot offered, {} slots a row; delays in "
        "slots.\n\n{}",
        settings_.links, settings_.delay, settings_.offered, settings_.slots,
        render_table(rows, retry_columns));
}

}  // namespace sluice::cli
