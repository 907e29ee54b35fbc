#include "tools/sluice/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

#include "config/advice.h"
#include "config/changes.h"
#include "config/difference.h"
#include "config/loader.h"
#include "config/memory.h"
#include "config/places.h"
#include "config/terminal.h"
#include "config/yaml/fault.h"
#include "tools/common/quantities.h"
#include "tools/sluice/client.h"
#include "tools/sluice/fault_json.h"
#include "tools/sluice/json_text.h"
#include "tools/sluice/ports_view.h"
#include "tools/sluice/views.h"

namespace sluice::cli {

namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

// Sends one request over a connection of its own.
tl::expected<Json, Failure> ask_once(const std::string& socket, const Json& request) {
    auto client = Client::connect(socket);
    if (!client) return tl::unexpected(client.error());
    return client->ask(request);
}

// Prints a page. On a terminal the page replaces the page before; in a file it follows that page.
void print_page(const std::string& page) {
    static const bool terminal = isatty(STDOUT_FILENO) == 1;
    fmt::print("{}{}", terminal ? "\x1b[H\x1b[J" : "", page);
    std::fflush(stdout);
}

Json question_of(const ShowOptions& options) {
    Json question = {{"show", options.noun}, {"all", options.all}};
    if (!options.ports.empty()) question["ports"] = options.ports;
    if (options.vlan) question["vlan"] = *options.vlan;
    if (options.priority) question["priority"] = *options.priority;
    if (!options.address.empty()) question["address"] = options.address;
    return question;
}

// Prints a result. Returns why it cannot be printed as requested; empty if it was printed.
std::string print_result(const ShowOptions& options, const Json& result) {
    if (options.json) {
        fmt::print("{}\n", json_text(result, options.watch ? -1 : 2));
        std::fflush(stdout);
        return {};
    }
    Sheet sheet(
        {options.wide ? config::unlimited_width : config::width_of_output(), options.columns});
    const std::string text = render(options.noun, result, sheet);
    std::string why = sheet.refusal();
    if (!why.empty()) return why;
    if (options.watch) {
        print_page(text + '\n');
    } else {
        fmt::print("{}", text);
    }
    return {};
}

Json checked(const std::string& file, const config::Configuration& configuration) {
    const Settings& settings = configuration.settings;
    Json ports = Json::array();
    for (const config::PortConfig& port : configuration.ports) {
        ports.push_back({{"name", port.name}, {"device", port.device}});
    }
    const config::MemoryNeeded memory = config::memory_needed(configuration);
    return {{"file", file},
            {"ports", std::move(ports)},
            {"workers", settings.workers},
            {"buffer_bytes", settings.buffer.size.count()},
            {"vlan_filtering", settings.vlan.filtering},
            {"memory_bytes", memory.octets},
            {"advice", config::advice_on(configuration)}};
}

}  // namespace

int check(const std::string& file, bool json) {
    const auto configuration = config::load(file, config::FileKind::any);
    if (!configuration) return print_faults(configuration.error(), json);
    const Settings& settings = configuration->settings;
    if (json) return print_outcome(checked(file, *configuration), Json::array(), 0);
    fmt::print("{}: fine: {} port(s), {} worker(s), a buffer of {}, {}.\n", file,
               settings.ports.size(), settings.workers,
               show_size(static_cast<double>(settings.buffer.size.count())),
               settings.vlan.filtering ? "VLANs filtered" : "VLANs not filtered");
    for (const config::PortConfig& port : configuration->ports) {
        fmt::print("  {}: {}\n", port.name, port.device);
    }
    const config::MemoryNeeded memory = config::memory_needed(*configuration);
    fmt::print("  memory: {} for {} frame buffers of {} octets\n",
               show_size(static_cast<double>(memory.octets)), memory.buffers, memory.octets_each);
    for (const std::string& advice : config::advice_on(*configuration)) {
        fmt::print("{}: advice: {}\n", file, advice);
    }
    return 0;
}

int show(const ShowOptions& options) {
    auto client = Client::connect(options.socket);
    if (!client) return print_failure(client.error());
    for (uint64_t shown = 1;; ++shown) {
        const auto result = client->ask(question_of(options));
        if (!result) return print_failure(result.error());
        if (const std::string why = print_result(options, *result); !why.empty()) {
            return print_failure({2, {why}});
        }
        if (!options.watch || shown == options.times) return 0;
        std::this_thread::sleep_for(duration<double>(options.every));
    }
}

int print_rates(const TopOptions& options) {
    auto client = Client::connect(options.socket);
    if (!client) return print_failure(client.error());
    Json before;
    steady_clock::time_point before_at;
    for (uint64_t shown = 0;; ++shown) {
        const auto ports = client->ask({{"show", "ports"}});
        const auto at = steady_clock::now();
        if (!ports) return print_failure(ports.error());
        const auto workers = client->ask({{"show", "workers"}});
        if (!workers) return print_failure(workers.error());
        if (shown > 0) {
            const double seconds = duration<double>(at - before_at).count();
            Sheet sheet({config::width_of_output()});
            const std::string rates = render_rates(before, *ports, seconds, sheet);
            print_page(rates + '\n' + render("workers", *workers, sheet) + '\n');
            if (shown == options.times) return 0;
        }
        before = *ports;
        before_at = at;
        std::this_thread::sleep_for(duration<double>(options.every));
    }
}

int apply_file(const std::string& socket, const std::string& file, unsigned confirm_within,
               bool json) {
    const auto text = config::text_of(file, config::FileKind::any);
    if (!text) return print_faults(text.error(), json);
    Json order = {{"file", file}, {"text", *text}};
    if (confirm_within > 0) order["confirm_s"] = confirm_within;
    const auto result = ask_once(socket, {{"apply", std::move(order)}});
    if (!result) return print_failure(result.error(), json, file);
    constexpr std::array<const char*, 3> moved = {"added", "removed", "renamed"};
    if (json) {
        Json outcome = {{"file", file}, {"confirm_s", confirm_within}};
        for (const char* what : moved) outcome[what] = result->value(what, Json::array());
        return print_outcome(std::move(outcome), Json::array(), 0);
    }
    fmt::print("{}: adopted.\n", file);
    for (const char* what : moved) {
        for (const Json& port : result->value(what, Json::array())) {
            fmt::print("{} {}.\n", config::escaped(port.get<std::string>()), what);
        }
    }
    if (confirm_within > 0) {
        fmt::print("Rolls back in {} s unless confirmed (`sluice confirm`).\n", confirm_within);
    }
    return 0;
}

int confirm(const std::string& socket, bool json) {
    const auto result = ask_once(socket, {{"confirm", true}});
    if (!result) return print_failure(result.error(), json);
    if (json) return print_outcome(Json::object(), Json::array(), 0);
    fmt::print("Confirmed.\n");
    return 0;
}

namespace {

// Returns why changes need a restart. Assumes that no port was added or removed since sluiced was
// started: otherwise sluiced may have more port slots, and accept more changes.
std::vector<config::Fault> needing_restart(config::Configuration running,
                                           config::Configuration next) {
    config::add_vacant_places(running);
    auto faults = config::take_places(next, running, config::vacant_places(running));
    return faults.empty() ? config::difference_needing_restart(running, next) : faults;
}

}  // namespace

int diff(const std::string& socket, const std::string& file, bool json) {
    const auto next = config::load(file, config::FileKind::any);
    if (!next) return print_faults(next.error(), json);
    const auto answer = ask_once(socket, {{"show", "config"}});
    if (!answer) return print_failure(answer.error(), json);
    const auto text = answer->at("text").get<std::string>();
    const auto running = config::load_text(text, "running");
    if (!running) return print_faults(running.error(), json, 1);
    const auto found = config::changes(text, next->source.text);
    const auto restarts = needing_restart(*running, *next);
    if (json) {
        return print_outcome({{"changes", changes_json(found, "running", "file")},
                              {"needs_restart", lines_of(restarts)},
                              {"restart", faults_json(restarts)}},
                             Json::array(), 0);
    }
    if (found.empty()) fmt::print("{}: no differences.\n", file);
    print_changes(found);
    if (!restarts.empty()) fmt::print("Needs a restart:\n");
    for (const std::string& line : lines_of(restarts)) fmt::print("  {}\n", line);
    return 0;
}

int clear_counters(const std::string& socket) {
    const auto result = ask_once(socket, {{"clear", "counters"}});
    if (!result) return print_failure(result.error());
    fmt::print("Counters cleared, except the ledger.\n");
    return 0;
}

int clear_watermarks(const std::string& socket) {
    const auto result = ask_once(socket, {{"clear", "watermarks"}});
    if (!result) return print_failure(result.error());
    fmt::print("Watermarks reset.\n");
    return 0;
}

int flush_fdb(const FlushOptions& options) {
    Json request = {{"flush", "fdb"}};
    std::string where;
    if (options.vlan != 0) {
        request["vlan"] = options.vlan;
        where = fmt::format(" in VLAN {}", options.vlan);
    }
    if (!options.port.empty()) {
        request["port"] = options.port;
        where = fmt::format(" at {}", options.port);
    }
    const auto result = ask_once(options.socket, request);
    if (!result) return print_failure(result.error());
    fmt::print("Every address learned{} is forgotten; static addresses stay.\n", where);
    return 0;
}

}  // namespace sluice::cli
