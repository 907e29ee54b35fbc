// sluiced: the switch. This file has the command line of sluiced; daemon.h has the rest.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "config/help_layout.h"
#include "config/loader.h"
#include "config/version.h"
#include "config/yaml/fault.h"
#include "control/cpu_level.h"
#include "control/daemon/daemon.h"
#include "control/daemon/log.h"
#include "control/runtime/deadline.h"
#include "control/socket/access.h"
#include "control/socket/api.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/standard_error.h"

namespace {

using namespace sluice;

constexpr int words_were_wrong = 2;
constexpr auto libraries_limit = std::chrono::seconds(10);

constexpr const char* examples =
    "Examples:\n"
    "  sluiced -c sluice.yaml                      run until SIGTERM; SIGHUP reads the file again\n"
    "  sluiced -c sluice.yaml --dry-run            check the file and the machine, and exit\n"
    "  sluiced -c sluice.yaml -- --no-huge -m 512  pass arguments after -- to DPDK's EAL\n"
    "\n"
    "While it runs: `sluice show ports`, `sluice top`.\n"
    "The package also has a build for x86-64-v3, and runs it if the CPU supports that level;\n"
    "SLUICE_CPU_LEVEL=x86-64-v2 in the environment selects the other build.\n"
    "Exit status: 0 done, 1 it failed, 2 the arguments or the file were wrong.";

struct Words {
    std::string file;
    bool dry_run = false;
    std::string level = "info";
    std::vector<std::string> eal_arguments;
};

int print_errors(const control::StartFailure& failure) {
    for (const std::string& line : failure.lines) pmd::standard_error().write(line + '\n');
    return static_cast<int>(failure.status);
}

int run(const Words& words) {
    const auto began = std::chrono::steady_clock::now();
    auto configuration = config::load(words.file, config::FileKind::any);
    if (!configuration) {
        return print_errors({control::Status::wrong_input, lines_of(configuration.error())});
    }
    if (words.dry_run) {
        control::StartFailure amiss = control::check_machine(
            *configuration, control::ProofFile::peek(configuration->control));
        const bool takes_over = control::Api::somebody_answers(configuration->control.socket);
        if (!takes_over && !pmd::choose_memory(words.eal_arguments)) {
            control::check_memory(*configuration, amiss);
        }
        if (const std::string& readers = configuration->control.readers; !readers.empty()) {
            const auto group = control::group_called(readers);
            if (!group) amiss.lines.push_back(group.error());
        }
        if (!amiss.lines.empty()) return print_errors(amiss);
        fmt::print("{}: fine, and this machine has what it asks for\n", words.file);
        return 0;
    }
    control::set_up_log(
        {.name = "sluiced", .level = words.level, .pattern = "%Y-%m-%d %H:%M:%S.%e %^%l%$ %v"});
    control::DaemonOptions options;
    options.lost_log_lines = control::lost_log_lines;
    options.began = began;
    options.runtime.eal_arguments = words.eal_arguments;
    const auto daemon = control::Daemon::start(std::move(*configuration), options);
    if (!daemon) return print_errors(daemon.error());
    const control::Json about = (*daemon)->show("version");
    const auto text = [&](const char* key) { return about.at(key).get<std::string>(); };
    spdlog::info("{} by {} with {}, for {} (the CPU has {}), on {}", version_of("sluiced"),
                 text("compiler"), text("dpdk"), text("cpu_level"), text("cpu_supports"),
                 text("kernel"));
    (*daemon)->run();
    return 0;
}

// Limits the time that libraries take after main has returned.
void limit_the_end() {
    // Never destroyed, because it runs until the process has ended.
    static const auto* const deadline =
        new control::Deadline(libraries_limit, [](const std::string&) {
            pmd::standard_error().write(fmt::format(
                "sluiced: libraries have not closed for {}: ends without them\n", libraries_limit));
            std::_Exit(EXIT_FAILURE);
        });
    static_cast<void>(deadline);
}

}  // namespace

int main(int argc, char** argv) {
    if (const auto amiss = control::become_better_build(argv)) {
        pmd::standard_error().write("sluiced: " + *amiss + "\n");
        return words_were_wrong;
    }
    Words words;
    CLI::App app("A lossless Ethernet switch in software.", "sluiced");
    config::keep_layout(app);
    app.footer(examples);
    app.set_version_flag("--version", version_of("sluiced"), "Print the version and exit");
    app.add_option("-c,--config", words.file, "The configuration")->required()->type_name("FILE");
    app.add_flag("--dry-run", words.dry_run, "Check the file and its devices, and exit");
    app.add_option("--log-level", words.level, "What is logged")
        ->check(CLI::IsMember(std::vector<std::string>{"info", "warning", "error"}))
        ->capture_default_str();

    // Arguments after `--` are EAL's.
    char** const end = argv + argc;
    char** const ours = std::find(argv, end, std::string_view("--"));
    if (ours != end) words.eal_arguments.assign(ours + 1, end);
    try {
        app.parse(static_cast<int>(ours - argv), argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // for --help and --version
        pmd::standard_error().write(
            fmt::format("sluiced: {}; `sluiced --help` has examples\n", error.what()));
        return words_were_wrong;
    }
    const int status = run(words);
    limit_the_end();
    return status;
}
