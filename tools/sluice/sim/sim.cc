#include "tools/sluice/sim/sim.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "tools/sluice/sim/suite.h"

namespace sluice::cli {

namespace {

struct SimCommand {
    std::string_view name;
    std::string_view help;
    std::string_view examples;
};

// The commands. Arguments without a command are those of the first one.
constexpr std::array sim_commands = {
    SimCommand{
        "run", "A network of switches, hosts and cables, out of a file",
        "  sluice sim run tools/sim/examples/incast.yaml\n"
        "  sluice sim run ring.yaml --time 50ms --json\n"
        "  sluice sim run incast.yaml --html report.html     plots of it, in one file\n"
        "  sluice sim run incast.yaml --set flows.incast.rate=5G --set cable.length=100m\n"
        "  sluice sim run incast.yaml --sweep switch.defaults.pfc.xoff=32KiB,64KiB,128KiB\n"
        "  sluice sim run incast.yaml --sweep run.seed=1..1000 --folder seeds\n"
        "                                     results kept; the same again does what is missing\n"
        "  sluice sim run incast.yaml --sweep run.seed=1..1000 --on slurm \\\n"
        "      --folder /shared/seeds         an array of tasks; --on local: processes here\n"
        "  sluice sim run incast.yaml --sweep run.seed=1..1000 --on kubernetes \\\n"
        "      --folder /shared/seeds --image registry.example/sluice:0.1 --claim shared:seeds\n"
        "                                     the claim's folder `seeds` is that one"},
    SimCommand{
        "fabric", "Crossbars in cell slots: throughput and delay by algorithm and load",
        "  sluice sim fabric islip --ports 16 --iterations 2 --load 0.5,0.8,0.9,0.99\n"
        "  sluice sim fabric islip,pim,fifo --load 0.3,0.5,0.7,0.9 --html fabric.html\n"
        "  sluice sim fabric sw_qps --ports 64 --traffic diagonal --load 1\n"
        "  sluice sim fabric oq --traffic bursty --burst 32 --load 0.8 --json\n"
        "\n"
        "A delay is in slots, from a cell's arrival to its departure. Throughput is what departed "
        "of a\n"
        "cell a port and slot; at load 1 it is the saturation throughput, of all traffic but "
        "hotspot,\n"
        "which loads one output alone so much. The delay of what is unstable is that of this run: "
        "it\n"
        "grows for as long as one looks. The same seed gives the same numbers everywhere."},
    SimCommand{
        "link", "One link slot by slot: credits of both ends, or XOFF and XON",
        "  sluice sim link credit             a toy link slot by slot: who has which credit\n"
        "  sluice sim link credit --room 5 --credits 3 --returning 3\n"
        "                                     one credit more than the buffer has room: a "
        "loss\n"
        "  sluice sim link xon_xoff --room 12 --reaction 1"},
    SimCommand{
        "grants", "Credits from egress to ingress: slices take turns, or ports do",
        "  sluice sim grants slice            a port alone in its slice gets twice its share\n"
        "  sluice sim grants port --egress-ports 18 --quantum 1800B"},
    SimCommand{"retry", "Links that lose: goodput and delay by share of loss",
               "  sluice sim retry all\n"
               "  sluice sim retry cbfc_alone --loss 1e-3 --cc-timer 0\n"
               "                                     credit of lost cells leaks: it stops\n"
               "  sluice sim retry retry,end_to_end --links 5 --loss 1e-3 --loss-burst 4 --json"},
    SimCommand{"suite", "Published figures beside those measured here",
               "  sluice sim suite reference\n"
               "  sluice sim suite reference --source PAXI"},
};

const SimCommand* sim_command(std::string_view name) {
    const auto* const row = std::ranges::find(sim_commands, name, &SimCommand::name);
    return row == sim_commands.end() ? nullptr : &*row;
}

std::string why_no_seed(const std::string& text) {
    uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, seed);
    return error == std::errc() && stopped == end
               ? std::string()
               : fmt::format("{} is no seed; a whole number from 0 to {}", text, UINT64_MAX);
}

// Returns the command of an option of the old form, such as `--link` or `--link=credit`.
const SimCommand* sim_command_of_option(std::string_view word) {
    if (!word.starts_with("--")) return nullptr;
    const SimCommand* const row = sim_command(word.substr(2, word.find('=') - 2));
    return row == nullptr || row->name == "run" ? nullptr : row;
}

}  // namespace

std::vector<std::string> Sim::with_command(std::vector<std::string> words) {
    auto word = words.begin();
    while (word != words.end() && word->starts_with('-')) {
        word += *word == "--socket" && word + 1 != words.end() ? 2 : 1;
    }
    if (word == words.end() || *word != "sim" || ++word == words.end()) return words;
    if (sim_command(*word) != nullptr || *word == "-h" || *word == "--help") return words;
    const auto option = std::find_if(word, words.end(), [](const std::string& each) {
        return sim_command_of_option(each) != nullptr;
    });
    const SimCommand* const meant =
        option == words.end() ? sim_commands.data() : sim_command_of_option(*option);
    const auto place = word - words.begin();
    std::vector<std::string> first = {std::string(meant->name)};
    if (option != words.end()) {
        const std::size_t equals = option->find('=');
        if (equals != std::string::npos) first.push_back(option->substr(equals + 1));
        // The old option may have several values.
        const auto end = std::find_if(
            option + 1, words.end(), [](const std::string& each) { return each.starts_with('-'); });
        const auto from = option + 1;
        for (auto value = from; equals == std::string::npos && value != end; ++value) {
            if (value == from) {
                first.push_back(*value);
            } else {
                first.back() += "," + *value;
            }
        }
        words.erase(option, equals == std::string::npos ? end : from);
    }
    words.insert(words.begin() + place, first.begin(), first.end());
    return words;
}

Sim::Sim(CLI::App& app)
    : command_(app.add_subcommand(
          "sim", "Simulate networks and crossbars, and compare with what is published")),
      file_command_(add("run")),
      fabric_command_(add("fabric")),
      link_command_(add("link")),
      grants_command_(add("grants")),
      retry_command_(add("retry")),
      suite_command_(add("suite")),
      file_(*file_command_.app),
      cluster_(*file_command_.app),
      fabric_(*fabric_command_.app),
      link_(*link_command_.app),
      grants_(*grants_command_.app),
      retry_(*retry_command_.app) {
    command_->require_subcommand(1);
    add_suite();
    for (Command* command : {&file_command_, &fabric_command_, &retry_command_}) {
        add_seed(*command);
    }
    for (Command* command : {&file_command_, &fabric_command_}) add_html(*command);
    add_examples();
}

Sim::Command Sim::add(std::string_view name) {
    CLI::App* const app =
        command_->add_subcommand(std::string(name), std::string(sim_command(name)->help));
    CLI::Option* const json = app->add_flag("--json", json_, "For programs");
    app->add_flag("--csv", csv_, "For spreadsheets")->excludes(json);
    return {.app = app};
}

void Sim::add_seed(Command& command) {
    command.seed = command.app->add_option("--seed", seed_, "Of all chance")
                       ->type_name("N")
                       ->check(why_no_seed)
                       ->capture_default_str();
}

void Sim::add_html(Command& command) {
    command.html =
        command.app->add_option("--html", html_, "A report with plots, beside what is printed")
            ->type_name("FILE");
}

void Sim::add_suite() {
    CLI::App& suite = *suite_command_.app;
    suite.add_option("SUITE", suite_, "Which of them")
        ->check(CLI::IsMember(std::vector<std::string>{"reference"}))
        ->capture_default_str();
    suite.add_option("--source", source_, "Only figures of sources with this in their name")
        ->type_name("TEXT");
}

void Sim::add_examples() {
    std::string first_of_each;
    for (const SimCommand& row : sim_commands) {
        std::string footer = fmt::format("Examples:\n{}", row.examples);
        if (row.name == "fabric") footer = SimFabric::help() + '\n' + footer;
        command_->get_subcommand(std::string(row.name))->footer(footer);
        first_of_each += fmt::format("{}\n", row.examples.substr(0, row.examples.find('\n')));
    }
    command_->footer("Examples:\n" + first_of_each);
}

bool Sim::parsed() const { return command_->parsed(); }

bool Sim::asked(const Command& command) const { return command.app->parsed(); }

Output Sim::output() const { return json_ ? Output::json : csv_ ? Output::csv : Output::table; }

int Sim::run_file() {
    if (cluster_.is_task()) return do_task(cluster_.task());
    if (!file_.asked()) {
        throw CLI::ValidationError("FILE", "none is named; tools/sim/examples has some");
    }
    std::optional<ReportFile> page;
    if (*file_command_.html) page.emplace(html_, file_.name());
    return file_.run(*file_command_.seed ? std::optional(seed_) : std::nullopt, output(),
                     page ? &*page : nullptr, cluster_.options());
}

int Sim::run_fabric() {
    std::optional<ReportFile> page;
    if (*fabric_command_.html) page.emplace(html_, std::string());
    return fabric_.run(seed_, output(), page ? &*page : nullptr);
}

int Sim::run() {
    if (asked(file_command_)) return run_file();
    if (asked(fabric_command_)) return run_fabric();
    if (asked(link_command_)) link_.run(output());
    if (asked(grants_command_)) grants_.run(output());
    if (asked(retry_command_)) retry_.run(seed_, output());
    if (asked(suite_command_)) run_reference_suite(source_, output());
    return 0;
}

}  // namespace sluice::cli
