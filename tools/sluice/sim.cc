#include "tools/sluice/sim.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <bit>

#include "tools/sim/reference/reference.h"
#include "tools/sim/side_by_side.h"
#include "tools/sluice/calc_words.h"
#include "tools/sluice/sim_output.h"
#include "tools/sluice/sim_scenario.h"

namespace sluice::cli {

namespace {

constexpr uint64_t most_slots = 1'000'000'000;

constexpr std::string_view examples =
    "Examples:\n"
    "  sluice sim tools/sim/examples/incast.yaml\n"
    "  sluice sim ring.yaml --time 50ms --json\n"
    "  sluice sim --fabric islip --ports 16 --iterations 2 --load 0.5,0.8,0.9,0.99\n"
    "  sluice sim --fabric sw_qps --ports 64 --traffic diagonal --load 1\n"
    "  sluice sim --fabric oq --traffic bursty --burst 32 --load 0.8 --json\n"
    "  sluice sim --suite reference       published figures beside those measured here\n"
    "\n"
    "A delay is in slots, from a cell's arrival to its departure. Throughput is what departed of "
    "a\n"
    "cell a port and slot; at load 1 it is the saturation throughput. The same seed gives the "
    "same\n"
    "numbers everywhere. What is unstable has no delay: it grows for as long as one looks.";

template <class Rows>
std::string names_of(const Rows& rows) {
    std::string text;
    for (const auto& row : rows) text += fmt::format("{}{}", text.empty() ? "" : ", ", row.name);
    return text;
}

template <class Rows>
std::string explained(std::string_view title, const Rows& rows) {
    std::string text = fmt::format("{}:\n", title);
    for (const auto& row : rows) text += fmt::format("  {:<14}  {}\n", row.name, row.help);
    return text;
}

void show_done(std::size_t finished, std::size_t count) {
    if (count > 1) show_progress(fmt::format("{} of {} done", finished, count), finished == count);
}

Json results_of(const sim::Outcome& outcome) {
    return {{"throughput", outcome.throughput},
            {"mean_delay_slots", outcome.mean_delay},
            {"p99_delay_slots", outcome.p99_delay},
            {"max_delay_slots", outcome.max_delay},
            {"throughput_of_offered", outcome.throughput_of_offered},
            {"stable", outcome.stable},
            {"arrived", outcome.arrived},
            {"departed", outcome.departed},
            {"lost", outcome.lost},
            {"waiting", outcome.waiting_after}};
}

constexpr std::array fabric_columns = {
    Column{"load", "load", Format::number},
    Column{"throughput", "throughput", Format::share},
    Column{"of offered", "throughput_of_offered", Format::share},
    Column{"mean delay", "mean_delay_slots", Format::decimal},
    Column{"p99", "p99_delay_slots", Format::count},
    Column{"max", "max_delay_slots", Format::count},
    Column{"lost", "lost", Format::count},
    Column{"verdict", "verdict", Format::text},
};
constexpr std::array reference_columns = {
    Column{"holds", "verdict", Format::text},
    Column{"expected", "expected", Format::number},
    Column{"measured", "measured", Format::number},
    Column{"tolerance", "tolerance", Format::number},
    Column{"name", "name", Format::text},
};

std::string why_no_load(const std::string& text) {
    double load = 0;
    const bool read = CLI::detail::lexical_cast(text, load);
    return read && load > 0 && load <= 1
               ? std::string()
               : fmt::format("{} is no load that can be carried; above 0 and at most 1", text);
}

std::string why_no_seed(const std::string& text) {
    uint64_t seed = 0;
    return text[0] != '-' && CLI::detail::lexical_cast(text, seed)
               ? std::string()
               : fmt::format("{} is no seed; a whole number from 0", text);
}

// As people read it: four significant digits.
double rounded(double number) { return std::stod(fmt::format("{:.4g}", number)); }

}  // namespace

Sim::Sim(CLI::App& app)
    : command_(app.add_subcommand(
          "sim", "Simulate networks and crossbars, and compare with what is published")) {
    command_->footer(explained("Algorithms", sim::algorithms()) + '\n' +
                     explained("Traffic", sim::patterns()) + '\n' + std::string(examples));
    add_what(*command_);
    add_numbers(*command_);
}

void Sim::add_what(CLI::App& command) {
    CLI::Option* fabric = command.add_option("--fabric", fabric_, "The algorithm, see below")
                              ->type_name("ALGORITHM")
                              ->check([](const std::string& name) {
                                  return sim::find_algorithm(name) != nullptr
                                             ? std::string()
                                             : fmt::format("no algorithm {}; one of {}", name,
                                                           names_of(sim::algorithms()));
                              });
    command.add_option("--traffic", traffic_, "What comes, see below")
        ->type_name("T")
        ->check([](const std::string& name) {
            return sim::find_pattern(name)
                       ? std::string()
                       : fmt::format("no traffic {}; one of {}", name, names_of(sim::patterns()));
        })
        ->needs(fabric)
        ->capture_default_str();
    command.add_option("--load", loads_, "Cells a slot of the busiest port; several: 0.1,0.5,0.9")
        ->type_name("X")
        ->delimiter(',')
        ->check(why_no_load)
        ->needs(fabric)
        ->default_str("0.9");
    command
        .add_option("FILE", file_, "Switches, hosts, cables and flows, as tools/sim/README.md says")
        ->excludes(fabric);
    command
        .add_option("--suite", suite_, "reference: published figures beside those measured here")
        ->check(CLI::IsMember(std::vector<std::string>{"reference"}))
        ->excludes(fabric)
        ->excludes("FILE");
    CLI::Option* json = command.add_flag("--json", json_, "For programs");
    command.add_flag("--csv", csv_, "For spreadsheets")->excludes(json);
}

void Sim::add_numbers(CLI::App& command) {
    CLI::Option* fabric = command.get_option("--fabric");
    const auto add = [&](const char* name, auto& into, const char* help, auto lowest,
                         auto highest) {
        return command.add_option(name, into, help)
            ->type_name("N")
            ->check(CLI::Range(lowest, highest))
            ->needs(fabric)
            ->capture_default_str();
    };
    sim::Tuning& tuning = scenario_.tuning;
    add("--ports", tuning.ports, "Inputs, and as many outputs", 2, int{max_ports});
    iterations_given_ = add("--iterations", tuning.iterations, "Of islip, pim, rrm and ilqf", 1, 64)
                            ->default_str("log2 of the ports");
    window_given_ = add("--window", tuning.window, "Of sw_qps, in slots", 1, int{sim::max_window});
    burst_given_ = add("--burst", scenario_.burst, "Mean length of bursty, in cells", 1.0, 1e6);
    add("--slots", scenario_.slots, "Measured", uint64_t{1}, most_slots);
    warmup_given_ =
        add("--warmup", scenario_.warmup, "Slots before, not measured", uint64_t{0}, most_slots)
            ->default_str("a quarter of the slots");
    seed_given_ = command.add_option("--seed", tuning.seed, "Of all chance")
                      ->type_name("N")
                      ->check(why_no_seed)
                      ->excludes("--suite")
                      ->capture_default_str();
    time_given_ = add_quantity(command,
                               {.name = "time",
                                .kind = config::Kind::time,
                                .help = "What the network of FILE is simulated for, else its own",
                                .lowest = 1,
                                .highest = 3'600'000'000'000},
                               time_)
                      ->needs("FILE");
}

bool Sim::parsed() const { return command_->parsed(); }

// Checks what the words are together, and fills in what they leave open.
void Sim::complete() {
    if (fabric_.empty()) {
        throw CLI::ValidationError("sim", fmt::format("nothing to simulate; --fabric with one of "
                                                      "{}, --suite reference or a FILE",
                                                      names_of(sim::algorithms())));
    }
    if (*window_given_ && fabric_ != "sw_qps") {
        throw CLI::ValidationError("--window", "only sw_qps has one; --fabric sw_qps");
    }
    if (*burst_given_ && traffic_ != "bursty") {
        throw CLI::ValidationError("--burst", "only bursty has them; --traffic bursty");
    }
    scenario_.algorithm = sim::find_algorithm(fabric_);
    scenario_.traffic = *sim::find_pattern(traffic_);
    if (!*iterations_given_) {
        scenario_.tuning.iterations =
            static_cast<unsigned>(std::bit_width(scenario_.tuning.ports - 1));
    }
    if (!*warmup_given_) scenario_.warmup = scenario_.slots / 4;
}

int Sim::run() {
    if (!file_.empty()) return run_file();
    if (!suite_.empty()) {
        run_reference();
        return 0;
    }
    complete();
    run_fabric();
    return 0;
}

int Sim::run_file() {
    ScenarioRun asked{.file = file_, .json = json_, .csv = csv_};
    if (*time_given_) asked.time = Nanos(time_);
    if (*seed_given_) asked.seed = scenario_.tuning.seed;
    return run_scenario(asked);
}

Json Sim::inputs_of(const sim::Scenario& scenario) const {
    Json inputs = {{"fabric", fabric_},
                   {"ports", scenario.tuning.ports},
                   {"iterations", scenario.tuning.iterations},
                   {"traffic", traffic_},
                   {"load", scenario.load},
                   {"slots", scenario.slots},
                   {"warmup", scenario.warmup},
                   {"seed", scenario.tuning.seed}};
    if (fabric_ == "sw_qps") inputs["window"] = scenario.tuning.window;
    if (traffic_ == "bursty") inputs["burst"] = scenario.burst;
    return inputs;
}

void Sim::run_fabric() const {
    std::vector<Json> of_loads(loads_.size());
    sim::side_by_side(
        loads_.size(),
        [&](std::size_t n) {
            sim::Scenario scenario = scenario_;
            scenario.load = loads_[n];
            of_loads[n] = results_of(sim::simulate(scenario));
            of_loads[n].update(inputs_of(scenario));
        },
        [&](std::size_t finished) { show_done(finished, loads_.size()); });

    Json rows = of_loads;
    if (json_) return fmt::print("{}\n", (rows.size() == 1 ? rows[0] : rows).dump(2));
    if (csv_) return print_csv(rows);
    for (Json& row : rows) row["verdict"] = row["stable"] == true ? "stable" : "unstable";
    const std::string iterations =
        scenario_.algorithm->iterates
            ? fmt::format(" of {} iteration(s)", scenario_.tuning.iterations)
            : std::string();
    fmt::print("{0}{1}, {2} x {2} ports, {3} traffic, {4} slots after {5}, seed {6}\n\n{7}",
               fabric_, iterations, scenario_.tuning.ports, traffic_, scenario_.slots,
               scenario_.warmup, scenario_.tuning.seed, render_table(rows, fabric_columns));
}

void Sim::run_reference() const {
    const sim::Figures figures = sim::reference_figures();
    const auto compared =
        sim::compare(figures, [&](std::size_t finished) { show_done(finished, figures.size()); });
    Json rows = Json::array();
    std::size_t holding = 0;
    for (const sim::Compared& figure : compared) {
        rows.push_back({{"name", figure.name},
                        {"source", figure.source},
                        {"expected", figure.expected},
                        {"measured", figure.measured},
                        {"tolerance", figure.tolerance},
                        {"ok", figure.ok}});
        holding += figure.ok ? 1 : 0;
    }
    if (json_) return fmt::print("{}\n", rows.dump(2));
    if (csv_) return print_csv(rows);
    for (Json& row : rows) {
        row["verdict"] = row["ok"] == true ? "yes" : "no";
        for (const char* key : {"expected", "measured", "tolerance"}) {
            row[key] = rounded(row[key].get<double>());
        }
    }
    fmt::print("{}\n{} of {} figures hold.\n", render_table(rows, reference_columns), holding,
               rows.size());
}

}  // namespace sluice::cli
