// sluice: the command line of a switch. This file has its commands and options; commands.h executes
// them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/help_layout.h"
#include "config/real_range.h"
#include "config/version.h"
#include "config/yaml/fault.h"
#include "config/yaml/suggestion.h"
#include "control/show/nouns.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/capture/capture.h"
#include "tools/sluice/client.h"
#include "tools/sluice/commands.h"
#include "tools/sluice/doctor/doctor.h"
#include "tools/sluice/edit_words.h"
#include "tools/sluice/help.h"
#include "tools/sluice/ready.h"
#include "tools/sluice/record/record.h"
#include "tools/sluice/schema_words.h"
#include "tools/sluice/sim/sim.h"
#include "tools/sluice/support/support.h"
#include "tools/sluice/top/top.h"
#include "tools/sluice/trace/trace.h"
#include "tools/sluice/version.h"

namespace {

using namespace sluice::cli;

constexpr int words_were_wrong = 2;

std::string explained_nouns() {
    std::string text = "Nouns:\n";
    for (const sluice::control::Noun& noun : sluice::control::nouns) {
        text += fmt::format("  {:<9}  {}\n", noun.name, noun.help);
    }
    return text;
}

constexpr std::string_view examples =
    "Examples:\n"
    "  sluice check sluice.yaml           report the faults of a configuration\n"
    "  sluice schema >sluice.schema.json  JSON Schema, with which editors complete keys\n"
    "  sluice doctor sluice.yaml          what this machine lacks for it\n"
    "  sluice doctor --cable p1 p2        cable test: whether pauses pass between two ports\n"
    "  sluice show ports                  ports of the running sluiced\n"
    "  sluice show queues --watch         again every second\n"
    "  sluice show drops --json | jq      the same for programs\n"
    "  sluice top                         rates, live\n"
    "  sluice watch --since 0             past events, then new ones as they occur\n"
    "  sluice trace --port p1 -n 3        the path of the next frames through the switch\n"
    "  sluice record start                queue depths to the microsecond, around triggers\n"
    "  sluice show config >sluice.yaml    the running configuration, as a file\n"
    "  sluice diff sluice.yaml            what that file would change\n"
    "  sluice apply sluice.yaml           change what can change while it runs\n"
    "  sluice apply --confirm 60s FILE    the same; rolls back unless `sluice confirm` follows\n"
    "  sluice set ports.p1.rate 1G        one key of the running configuration\n"
    "  sluice set defaults.pfc.xoff 128KiB defaults.pfc.xon 64KiB --confirm 60s\n"
    "                                     two at once; rolls back unless confirmed\n"
    "  sluice unset ports.p1.rate         back to its default\n"
    "  sluice save                        writes it to the file that sluiced was started with\n"
    "  sluice ready --wait 30s            until all ports are up\n"
    "  sluice clear counters              reset all counters to 0\n"
    "  sluice clear watermarks            reset the highest values\n"
    "  sluice flush fdb --vlan 10         flush addresses learned in the VLAN\n"
    "  sluice capture p0 -w p0.pcapng     frames of a port in a file for Wireshark\n"
    "  sluice support                     an archive for a support request\n"
    "  sluice calc                        formulas, for example the headroom of a link\n"
    "  sluice sim run incast.yaml         switches, hosts and cables in virtual time\n"
    "  sluice sim run incast.yaml --sweep run.seed=1..1000 --on slurm --folder seeds\n"
    "                                     a sweep; --on local, slurm or kubernetes\n"
    "  sluice sim suite reference         published figures compared with measured ones\n"
    "\n"
    "Exit status: 0 success, 1 failure, 2 wrong arguments or input.";

CLI::Option* add_noun(CLI::App& command, ShowOptions& shown) {
    return command.add_option("NOUN", shown.noun, "What to show, see below")
        ->check([](const std::string& noun) {
            if (sluice::control::is_noun(noun)) return std::string();
            std::vector<std::string_view> names;
            for (const sluice::control::Noun& each : sluice::control::nouns) {
                names.push_back(each.name);
            }
            const auto meant = sluice::config::nearest(noun, names);
            return fmt::format("\"{}\" is not a known noun; {}", sluice::config::escaped(noun),
                               meant ? fmt::format("did you mean {}", *meant)
                                     : "one of " + sluice::control::list_of_nouns());
        });
}

// Options for rows, columns and the form of the output.
void add_show_options(CLI::App& command, ShowOptions& shown) {
    command.add_option("PORT", shown.ports, "Only rows of these ports");
    command.add_option("--port", shown.ports, "Only rows of this port; may be repeated")
        ->type_name("PORT")
        ->allow_extra_args(false);
    command.add_option("--vlan", shown.vlan, "Only rows of this VLAN")
        ->type_name("N")
        ->check(CLI::Range(1U, 4094U));
    command.add_option("--address", shown.address, "Only rows of this address")->type_name("MAC");
    command.add_option("--priority", shown.priority, "Only rows of this priority")
        ->type_name("P")
        ->check(CLI::Range(0U, 7U));
    CLI::Option* json = command.add_flag("--json", shown.json, "For programs");
    command.add_flag("--all", shown.all, "Include empty rows");
    command.add_flag("--wide", shown.wide, "Every column; default: those that fit on the terminal")
        ->excludes(json);
    command.add_option("--columns", shown.columns, "These columns, by title or by key of --json")
        ->type_name("A,B,C")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes(json);
}

void add_turns(CLI::App& command, double& every, uint64_t& times) {
    command.add_option("--every", every, "Interval in seconds")
        ->type_name("SECONDS")
        ->check(sluice::config::real_range(0.01, 86400.0))
        ->capture_default_str();
    command.add_option("--count", times, "Number of times; default: until interrupted")
        ->type_name("N")
        ->check([](const std::string& text) {
            const bool is_one = !text.empty() && text != "0" &&
                                text.find_first_not_of("0123456789") == std::string::npos;
            return is_one ? std::string() : fmt::format("{}: not a whole number from 1 on", text);
        });
}

// Returns the exit status.
int run(int argc, char** argv) {
    CLI::App app("Looks at, checks and changes a Sluice switch.", "sluice");
    sluice::config::keep_layout(app);
    app.require_subcommand(1);
    app.set_version_flag("--version", sluice::version_of("sluice"), "Print the version and exit");
    app.footer(std::string(examples));

    std::string socket(default_socket);
    bool json = false;
    const auto add_json = [&json](CLI::App& command) {
        command.add_flag("--json", json, "For programs");
    };
    std::string before_command;  // not used: take_socket reads the option
    app.add_option("--socket", before_command, "Where sluiced answers, for any command")
        ->type_name("PATH");
    CLI::App* version_command = app.add_subcommand(
        "version", "Print the version of sluice, and of the sluiced that answers");
    add_json(*version_command);
    add_socket(*version_command, socket);

    std::string file;
    CLI::App* check_command =
        app.add_subcommand("check", "Report all faults of a configuration file");
    check_command->add_option("FILE", file, "The configuration")->required();
    add_json(*check_command);

    const SchemaWords schema(app);

    ShowOptions shown;
    shown.socket = default_socket;
    CLI::App* show_command = app.add_subcommand("show", "Print the state of a running sluiced");
    show_command->footer(explained_nouns());
    add_noun(*show_command, shown)->required();
    CLI::Option* watch = show_command->add_flag("--watch", shown.watch, "Repeat at an interval");
    add_show_options(*show_command, shown);
    add_turns(*show_command, shown.every, shown.times);
    show_command->get_option("--every")->needs(watch);
    show_command->get_option("--count")->needs(watch);
    add_socket(*show_command, shown.socket);

    TopOptions live;
    live.socket = default_socket;
    CLI::App* top_command =
        app.add_subcommand("top", "Show ports, queues, pauses and the buffer, live");
    top_command->footer(
        "On a terminal it uses the whole screen, and keys change the view:\n"
        "  1 2 3 4   ports, queues, pauses, buffer\n"
        "  < > r     sort by another column, or in reverse order\n"
        "  + -       halve or double the refresh rate\n"
        "  space     freeze and resume the view\n"
        "  q         quit\n"
        "Without a terminal, and with --count, it prints rates of ports and workers, one table\n"
        "after the other.");
    add_turns(*top_command, live.every, live.times);
    add_socket(*top_command, live.socket);

    WatchOptions watched;
    watched.socket = default_socket;
    CLI::App* watch_command =
        app.add_subcommand("watch", "Print events as they occur, or a noun repeatedly");
    watch_command->footer(
        "Without NOUN: prints events. With NOUN: prints the same as `show NOUN --watch`.\n\n" +
        explained_nouns());
    CLI::Option* const watched_noun = add_noun(*watch_command, shown);
    add_show_options(*watch_command, shown);
    add_turns(*watch_command, shown.every, shown.times);
    for (const char* of_a_noun : {"PORT", "--port", "--vlan", "--address", "--priority", "--all",
                                  "--wide", "--columns", "--every"}) {
        watch_command->get_option(of_a_noun)->needs(watched_noun);
    }
    watch_command
        ->add_option(
            "--since", watched.since,
            "Print events after this number; 0: from the oldest stored event; default: only "
            "new events")
        ->excludes(watched_noun)
        ->type_name("N");
    add_socket(*watch_command, watched.socket);

    CLI::App* apply_command =
        app.add_subcommand("apply", "Apply a configuration to a running sluiced");
    apply_command->add_option("FILE", file, "The configuration")->required();
    unsigned confirm_within = 0;
    add_confirm(*apply_command, confirm_within);
    apply_command->footer(
        "All changes are applied, or none; keys that need a restart are named. With\n"
        "`--confirm 60s` the previous configuration returns after that time, unless\n"
        "`sluice confirm` is run before: for changes that may cut off your own access.");
    add_json(*apply_command);
    add_socket(*apply_command, socket);
    CLI::App* confirm_command =
        app.add_subcommand("confirm", "Keep what was applied with --confirm");
    add_json(*confirm_command);
    add_socket(*confirm_command, socket);

    const EditWords edit(app);

    ReadyOptions awaited;
    awaited.socket = default_socket;
    CLI::App* ready_command =
        app.add_subcommand("ready", "Report whether ports are up and every frame is accounted for");
    ready_command->add_option("PORT", awaited.ports,
                              "Only these ports; default: all whose `admin_status` is up");
    using Seconds = std::map<std::string, double>;
    ready_command->add_option("--wait", awaited.wait, "Wait up to TIME")
        ->transform(CLI::AsNumberWithUnit(Seconds{{"s", 1}, {"m", 60}},
                                          CLI::AsNumberWithUnit::CASE_SENSITIVE, ""))
        ->check(sluice::config::real_range(0.0, 3600.0, "0s to 60m"))
        ->option_text("TIME");
    ready_command->add_flag("--json", awaited.json, "For programs");
    ready_command->footer("Exit status: 0 ready, 1 not ready; the reasons are printed.");
    add_socket(*ready_command, awaited.socket);

    CLI::App* diff_command =
        app.add_subcommand("diff", "Show what a configuration would change in a running sluiced");
    diff_command->add_option("FILE", file, "The configuration")->required();
    add_json(*diff_command);
    diff_command->footer(
        "Effective values are compared: a default equals the same value written out.");
    add_socket(*diff_command, socket);

    std::string cleared;
    CLI::App* clear_command = app.add_subcommand("clear", "Clear counters or watermarks");
    clear_command
        ->add_option("WHAT", cleared,
                     "counters, or watermarks: the highest values since the last reset")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>{"counters", "watermarks"}));
    clear_command->footer(
        "counters    of `show` ports, queues, pfc, credits, csig, retry, drops, latency, lldp,\n"
        "            lacp, spanning-tree, vteps and fabric; the ledger is not cleared\n"
        "watermarks  AT MOST and OF IT USED of `show` queues, buffer and pfc, and the longest gap\n"
        "            of `show workers`");
    add_socket(*clear_command, socket);

    std::string flushed;
    FlushOptions forget;
    forget.socket = default_socket;
    CLI::App* flush_command = app.add_subcommand("flush", "Flush learned addresses");
    flush_command->add_option("WHAT", flushed, "fdb: the learned addresses")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>{"fdb"}));
    CLI::Option* of_vlan =
        flush_command->add_option("--vlan", forget.vlan, "Only addresses learned in this VLAN")
            ->type_name("N")
            ->check(CLI::Range(1, 4094));
    flush_command->add_option("--port", forget.port, "Only addresses learned at this port")
        ->type_name("PORT")
        ->excludes(of_vlan);
    add_socket(*flush_command, forget.socket);

    CaptureOptions captured;
    captured.socket = default_socket;
    CLI::App* const capture_command = add_capture(app, captured);
    add_socket(*capture_command, captured.socket);

    DoctorOptions examined;
    CLI::App* doctor_command = app.add_subcommand(
        "doctor", "Check this machine for faults that stop a switch or slow it down");
    CLI::Option* of_file = doctor_command->add_option(
        "FILE", examined.file, "Configuration to check; default: the running one");
    doctor_command->add_flag("--json", examined.json, "For programs");
    CLI::Option* mends = doctor_command->add_flag(
        "--fix", examined.fix, "Apply fixes that are harmless and can be undone, and report them");
    CLI::Option* of_root = doctor_command
                               ->add_option("--root", examined.root,
                                            "Folder with /proc, /sys and /run of another machine")
                               ->type_name("PATH");
    doctor_command->add_option("--socket", examined.socket, "Where sluiced answers")
        ->type_name("PATH")
        ->envname("SLUICE_SOCKET");
    doctor_command
        ->add_option("--cable", examined.cable,
                     "Only test the cable between two ports of the running switch, with PFC frames "
                     "of an empty class vector and with LLDP")
        ->type_name("PORT PORT")
        ->expected(2)
        ->excludes(of_file)
        ->excludes(mends)
        ->excludes(of_root);
    doctor_command->footer("Exit status: 1 if a finding is bad.");

    SupportOptions helped;
    helped.socket = default_socket;
    helped.config_file = "/etc/sluice/sluice.yaml";
    CLI::App* support_command =
        app.add_subcommand("support", "Make an archive of the state, for a support request");
    support_command->add_option(
        "FILE", helped.file,
        "The archive, .tar.gz; default: named by host and time, in this folder");
    support_command
        ->add_option("--config", helped.config_file, "The file that sluiced is started with")
        ->type_name("PATH")
        ->capture_default_str();
    support_command->footer(
        "Contents: versions, the configuration without secrets, the output of `show` and\n"
        "`doctor`, and the end of the log. It also works if sluiced does not answer. Only root\n"
        "can collect everything.");
    add_socket(*support_command, helped.socket);

    const Trace trace(app);
    const Record record(app);
    const Calc calc(app);
    Sim sim(app);

    give_own_examples(app, examples);
    take_socket(argc, argv);

    try {
        app.parse(
            EditWords::whole_values(Sim::with_command({argv + std::min(argc, 1), argv + argc})));
        if (calc.parsed()) {
            calc.run();
            return 0;
        }
        if (sim.parsed()) {
            return sim.run();
        }
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help
        fmt::print(stderr, "sluice: {}\n", explained(app, error));
        return words_were_wrong;
    }

    if (version_command->parsed()) return print_version(socket, json);
    if (check_command->parsed()) return check(file, json);
    if (schema.parsed()) return schema.run();
    if (show_command->parsed()) return show(shown);
    if (top_command->parsed()) {
        const auto ended = live.times == 0 ? top::run(live) : std::nullopt;
        return ended ? *ended : print_rates(live);
    }
    if (trace.parsed()) return trace.run();
    if (record.parsed()) return record.run();
    if (watch_command->parsed()) {
        if (!shown.noun.empty()) {
            shown.socket = watched.socket;
            shown.watch = true;
            return show(shown);
        }
        watched.json = shown.json;
        watched.times = shown.times;
        return sluice::cli::watch(watched);
    }
    if (apply_command->parsed()) return apply_file(socket, file, confirm_within, json);
    if (confirm_command->parsed()) return confirm(socket, json);
    if (edit.parsed()) return edit.run();
    if (ready_command->parsed()) return ready(awaited);
    if (diff_command->parsed()) return diff(socket, file, json);
    if (support_command->parsed()) return support(helped);
    if (doctor_command->parsed()) return doctor(examined);
    if (capture_command->parsed()) return capture(captured);
    if (clear_command->parsed()) {
        return cleared == "counters" ? clear_counters(socket) : clear_watermarks(socket);
    }
    return flush_fdb(forget);
}

// Prints why the program failed. Returns the exit status.
int failed(std::string_view why) {
    fmt::print(stderr, "sluice: {}\n", why);
    return 1;
}

// Flushes the output. Returns `status`, or a failure if the output could not be written, for
// example to a full disk.
int after_output(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    return failed(fmt::format("standard output could not be written: {}", std::strerror(errno)));
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return after_output(run(argc, argv));
    } catch (const nlohmann::json::exception&) {
        return failed("the answer is invalid; do sluice and sluiced have the same version?");
    } catch (const std::bad_alloc&) {
        return failed("out of memory; request less, or use a machine with more memory");
    } catch (const std::exception& error) {
        return failed(error.what());
    }
}
