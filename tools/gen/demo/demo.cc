// sluice-demo: shows the switch without a NIC: four ports on rings, connected to a generator, and
// traffic as phases.h describes it. Exit status: 0 if all requirements were met, 1 if one was not
// or the demo could not run, 2 for wrong arguments.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <filesystem>

#include "config/help_layout.h"
#include "config/real_range.h"
#include "config/version.h"
#include "control/daemon/log.h"
#include "tools/gen/demo/live.h"
#include "tools/gen/demo/phases.h"
#include "tools/gen/demo/report.h"
#include "tools/gen/streams.h"

namespace {

using namespace sluice;
using namespace sluice::gen;

constexpr int it_failed = 1;
constexpr int words_were_wrong = 2;

std::atomic<bool> interrupted{false};

int fail(std::string_view why) {
    say(fmt::format("sluice-demo: {}\n", why));
    return it_failed;
}

// Shows warnings together with the table; hides messages of lower levels.
void set_up_log(bool quiet) {
    control::set_up_log(
        {.name = "sluice-demo", .level = quiet ? "error" : "warning", .pattern = "%n: %v"});
}

// Returns the scenario's file: in the current folder, which is the project's if the script
// tools/demo runs this program, else in the folder that the package installs.
std::string file_of(const std::string& scenario) {
    namespace fs = std::filesystem;
    const std::string name = fmt::format("scenario-{}.yaml", scenario);
    const fs::path in_project = fs::path("config/examples") / name;
    std::error_code failed;
    if (fs::exists(in_project, failed)) return in_project;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    return program.parent_path().parent_path() / "share/doc/sluice/examples" / name;
}

// `file`: the switch's configuration; empty: the embedded one.
int run_demo(DemoSettings settings, const std::string& file, const std::string& socket, bool json,
             bool quiet) {
    auto demo = file.empty() ? DemoSwitch::start(settings.ports, settings.frame_octets, socket)
                             : DemoSwitch::start(file, socket);
    if (!demo) {
        for (const std::string& line : demo.error()) fail(line);
        return it_failed;
    }
    const Switch& fabric = (*demo)->fabric();
    settings.ports = (*demo)->stations().size();
    if (settings.ports < 2) {
        return fail(
            fmt::format("{} needs at least two ports `ring:NAME/a` whose other end is free", file));
    }
    DemoPhases phases(**demo, settings);
    DemoLive live(fabric);
    const auto look = [&](const PhasePlan& plan, const Generator&) {
        if (!quiet) live.look(plan);
        return !interrupted;
    };
    if (!phases.introduce())
        return fail("the switch did not receive the announcements of all stations");

    DemoResult result;
    result.ports = settings.ports;
    const auto show = [&](const auto& phase) {
        if (interrupted) return;
        result.phases.push_back(phase());
        live.leave();
    };
    show([&] { return phases.uniform(look); });
    const auto& flat_out = [&]() -> const PhaseResult& { return result.phases.front(); };
    show([&] { return phases.uniform_paced(flat_out(), four_fifths, look); });
    show([&] { return phases.many_to_one(true, flat_out(), look); });
    show([&] { return phases.many_to_one(false, flat_out(), look); });
    result.ledger = ledger_of(fabric);

    fmt::print("{}", to_text(result));
    if (json) fmt::print("{}\n", to_json(result).dump());
    if (interrupted) return fail("interrupted; these are the results up to the interrupt");
    const std::string fault = result.fault();
    if (fault.empty()) return 0;
    return fail(fault + "; run sluice-demo again: a repeated failure is a bug of the switch");
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Runs a switch on ring ports, sends traffic through it, and checks every frame.",
                 "sluice-demo");
    sluice::config::keep_layout(app);
    app.set_version_flag("--version", version_of("sluice-demo"), "Print the version and exit");
    DemoSettings settings;
    double seconds = 3;
    std::string socket;
    std::string scenario;
    std::string file;
    bool json = false;
    bool quiet = false;
    app.add_option(
           "--scenario", scenario,
           "Scenario to run instead of the embedded switch: a, two chips on one link; b, two "
           "switches in a row with AFH Lite; c, two switches in a row with RoCEv2 and ECN "
           "(config/examples)")
        ->check(CLI::IsMember({"a", "b", "c"}));
    app.add_option("--config", file,
                   "Configuration of a switch to run instead of the embedded one: stations use the "
                   "rings of which only one end is a port; priority 3 must be lossless, 0 lossy")
        ->type_name("FILE")
        ->check(CLI::ExistingFile)
        ->excludes("--scenario");
    app.add_option("--seconds", seconds,
                   "Time that each phase sends; the second phase sends half as long")
        ->check(sluice::config::real_range(0.1, 3600.0))
        ->capture_default_str();
    app.add_option("--ports", settings.ports, "Ports of the switch")
        ->check(CLI::Range(2, 16))
        ->capture_default_str()
        ->excludes("--config");
    app.add_option("--frame-bytes", settings.frame_octets, "Frame length in octets with FCS")
        ->check(CLI::Range(shortest_frame, longest_demo_frame))
        ->capture_default_str();
    app.add_option("--seed", settings.seed, "Seed of all random numbers")->capture_default_str();
    app.add_option("--socket", socket, "Socket that answers `sluice show` while the demo runs")
        ->type_name("PATH");
    app.add_flag("--json", json, "Print one JSON object as the last line");
    app.add_flag("--quiet", quiet, "Print only the results");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        say(fmt::format("sluice-demo: {}; see `sluice-demo --help`\n", error.what()));
        return words_were_wrong;
    }
    if (!scenario.empty()) file = file_of(scenario);
    set_up_log(quiet);
    settings.duration = Nanos(static_cast<int64_t>(seconds * 1e9));
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return run_program("sluice-demo",
                       [&] { return run_demo(settings, file, socket, json, quiet); });
}
