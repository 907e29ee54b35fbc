#include "tools/sluice/sim/sim.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "tools/sluice/sim/suite.h"

namespace sluice::cli {

namespace {

constexpr std::string_view examples =
    "Examples:\n"
    "  sluice sim tools/sim/examples/incast.yaml\n"
    "  sluice sim ring.yaml --time 50ms --json\n"
    "  sluice sim incast.yaml --html report.html         plots of it, in one file\n"
    "  sluice sim incast.yaml --set flows.incast.rate=5G --set cable.length=100m\n"
    "  sluice sim incast.yaml --sweep switch.defaults.pfc.xoff=32KiB,64KiB,128KiB\n"
    "  sluice sim incast.yaml --sweep run.seed=1..1000 --folder seeds\n"
    "                                     results kept; the same again does what is missing\n"
    "  sluice sim incast.yaml --sweep run.seed=1..1000 --on slurm --folder /shared/seeds\n"
    "                                     an array of tasks; --on local: processes here\n"
    "  sluice sim incast.yaml --sweep run.seed=1..1000 --on kubernetes --folder /shared/seeds \\\n"
    "      --image registry.example/sluice:0.1 --claim shared:seeds\n"
    "                                     the claim's folder `seeds` is that one\n"
    "  sluice sim --fabric islip --ports 16 --iterations 2 --load 0.5,0.8,0.9,0.99\n"
    "  sluice sim --fabric islip,pim,fifo --load 0.3,0.5,0.7,0.9 --html fabric.html\n"
    "  sluice sim --fabric sw_qps --ports 64 --traffic diagonal --load 1\n"
    "  sluice sim --fabric oq --traffic bursty --burst 32 --load 0.8 --json\n"
    "  sluice sim --link credit           a toy link slot by slot: who has which credit\n"
    "  sluice sim --link credit --room 5 --credits 3 --returning 3\n"
    "                                     one credit more than the buffer has room: a loss\n"
    "  sluice sim --link xon_xoff --room 12 --reaction 1\n"
    "  sluice sim --grants slice          a port alone in its slice gets twice its share\n"
    "  sluice sim --grants port --egress-ports 18 --quantum 1800B\n"
    "  sluice sim --retry all             links that lose: goodput and delay by share of loss\n"
    "  sluice sim --retry retry,end_to_end --links 5 --loss 1e-3 --loss-burst 4 --json\n"
    "  sluice sim --suite reference       published figures beside those measured here\n"
    "  sluice sim --suite reference --source PAXI\n"
    "\n"
    "A delay is in slots, from a cell's arrival to its departure. Throughput is what departed of "
    "a\n"
    "cell a port and slot; at load 1 it is the saturation throughput, of all traffic but hotspot,\n"
    "which loads one output alone so much. The delay of what is unstable is that of this run: it\n"
    "grows for as long as one looks. The same seed gives the same numbers everywhere.";

std::string why_no_seed(const std::string& text) {
    uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, seed);
    return error == std::errc() && stopped == end
               ? std::string()
               : fmt::format("{} is no seed; a whole number from 0 to {}", text, UINT64_MAX);
}

}  // namespace

Sim::Sim(CLI::App& app)
    : command_(app.add_subcommand(
          "sim", "Simulate networks and crossbars, and compare with what is published")),
      fabric_(*command_),
      file_(*command_),
      cluster_(*command_),
      link_(*command_),
      grants_(*command_),
      retry_(*command_) {
    command_->footer(SimFabric::help() + '\n' + std::string(examples));
    add_suite(*command_);
    add_shared(*command_);
    for (const char* kind : {"--link", "--grants"}) {
        for (const char* other : {"--fabric", "FILE", "--suite", "--seed", "--html", "--work"}) {
            command_->get_option(kind)->excludes(other);
        }
    }
    command_->get_option("--grants")->excludes("--link");
    for (const char* other :
         {"--fabric", "FILE", "--suite", "--html", "--work", "--link", "--grants"}) {
        command_->get_option("--retry")->excludes(other);
    }
}

void Sim::add_suite(CLI::App& command) {
    CLI::Option* suite = command
                             .add_option("--suite", suite_,
                                         "reference: published figures beside those measured here")
                             ->check(CLI::IsMember(std::vector<std::string>{"reference"}))
                             ->excludes("--fabric")
                             ->excludes("FILE");
    command.add_option("--source", source_, "Only figures of sources with this in their name")
        ->type_name("TEXT")
        ->needs(suite);
}

void Sim::add_shared(CLI::App& command) {
    seed_given_ = command.add_option("--seed", seed_, "Of all chance")
                      ->type_name("N")
                      ->check(why_no_seed)
                      ->excludes("--suite")
                      ->capture_default_str();
    CLI::Option* json = command.add_flag("--json", json_, "For programs");
    command.add_flag("--csv", csv_, "For spreadsheets")->excludes(json);
    html_given_ =
        command.add_option("--html", html_, "A report with plots, beside what is printed")
            ->type_name("FILE")
            ->excludes("--suite");
}

bool Sim::parsed() const { return command_->parsed(); }

int Sim::run() {
    const Output output = json_ ? Output::json : csv_ ? Output::csv : Output::table;
    if (cluster_.is_task()) return do_task(cluster_.task());
    std::optional<ReportFile> page;
    if (*html_given_) page.emplace(html_, file_.name());
    ReportFile* const report = page ? &*page : nullptr;
    if (file_.asked()) {
        return file_.run(*seed_given_ ? std::optional(seed_) : std::nullopt, output, report,
                         cluster_.options());
    }
    if (fabric_.asked()) return fabric_.run(seed_, output, report);
    if (link_.asked() || grants_.asked()) {
        link_.asked() ? link_.run(output) : grants_.run(output);
        return 0;
    }
    if (retry_.asked()) {
        retry_.run(seed_, output);
        return 0;
    }
    if (suite_.empty()) {
        throw CLI::ValidationError("sim",
                                   fmt::format("nothing to simulate; --fabric with one of "
                                               "{}, --link credit, --grants slice, --retry all, "
                                               "--suite reference or a FILE",
                                               SimFabric::names()));
    }
    run_reference_suite(source_, output);
    return 0;
}

}  // namespace sluice::cli
