#include "tools/sluice/sim/grants.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>

#include "config/yaml/values.h"
#include "tools/common/quantities.h"
#include "tools/sluice/calc/words.h"
#include "tools/sluice/sim/ranged_option.h"

namespace sluice::cli {

namespace {

using config::Kind;

constexpr unsigned most_ports = 1024;
constexpr int64_t longest_span = 100'000'000;  // nanoseconds
constexpr int64_t most_buffer = 1024 * 1024 * 1024;

constexpr std::array grant_columns = {
    Column{"slice", "slice", Format::number},
    Column{"ingress port", "ingress_port", Format::number},
    Column{"share", "share", Format::share},
};

}  // namespace

SimGrants::SimGrants(CLI::App& command) {
    command.add_option("POLICY", policy_, "Who takes turns")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>{"slice", "port"}));
    add_ports(command);
    add_credit(command);
}

void SimGrants::add_ports(CLI::App& command) {
    command.add_option("--slices", settings_.slices, "Ingress ports of each slice that send: 2,1")
        ->type_name("N,N")
        ->delimiter(',')
        ->check(CLI::Range(1U, most_ports))
        ->default_str("2,1");
    add_ranged(command, "--egress-ports", settings_.egress_ports, "That share one scheduler", 1,
               most_ports);
    add_speed(command, "Of a port", "400G", speed_);
    add_number(command, {"speed-up", "Of the fabric over its ports", "1.05", 0.1, 16}, speed_up_);
    add_octets(command, "cell", "What the fabric carries at once", "256B", 1, cell_);
}

void SimGrants::add_credit(CLI::App& command) {
    add_octets(command, "quantum", "Octets of a credit", "256B", 1, quantum_);
    add_number(command, {"interval", "From one credit to the next, in nanoseconds", "2", 0.1, 1e6},
               interval_);
    const auto add_span = [&](const char* name, const char* help, const char* fallback,
                              int64_t& into) {
        return add_quantity(command,
                            {.name = name,
                             .kind = Kind::time,
                             .help = help,
                             .fallback = fallback,
                             .lowest = 1,
                             .highest = longest_span},
                            into);
    };
    add_span("rtt", "From a credit until what it released is there", "800ns", rtt_);
    add_span("span", "Simulated", "100us", span_);
    stop_given_ = add_quantity(command,
                               {.name = "stop",
                                .kind = Kind::time,
                                .help = "Time from which egress ports send nothing",
                                .worked_out = "never",
                                .lowest = 1,
                                .highest = longest_span},
                               stop_);
    add_quantity(command,
                 {.name = "egress-buffer",
                  .kind = Kind::size,
                  .help = "Of an egress port: what is granted and has not left",
                  .worked_out = "one BDP, a quantum and a cell of each ingress port",
                  .highest = most_buffer},
                 buffer_);
}

void SimGrants::complete() {
    settings_.policy = policy_ == "slice" ? sim::GrantPolicy::slice : sim::GrantPolicy::port;
    settings_.speed = BitsPerSecond(speed_);
    settings_.speed_up_1000 = static_cast<unsigned>(std::lround(speed_up_ * 1000));
    settings_.cell = Bytes(cell_);
    settings_.quantum = Bytes(quantum_);
    settings_.interval = sim::Picos(std::lround(interval_ * 1000));
    settings_.rtt = sim::picos(Nanos(rtt_));
    settings_.time = sim::picos(Nanos(span_));
    if (*stop_given_) settings_.stops_at = sim::picos(Nanos(stop_));
    settings_.buffer = Bytes(buffer_);
    const int64_t measured = std::min(settings_.time, settings_.stops_at).count();
    if (measured <= 3 * std::max(settings_.rtt, settings_.interval).count()) {
        throw CLI::ValidationError(
            *stop_given_ ? "--stop" : "--span",
            "leaves nothing to measure; write more than three round trips, and intervals");
    }
    if (settings_.time.count() / settings_.interval.count() > 50'000'000 / settings_.egress_ports) {
        throw CLI::ValidationError("--span", "is too long; write fewer intervals of credit");
    }
    if (buffer_ > 0 && buffer_ < std::max(quantum_, cell_)) {
        throw CLI::ValidationError("--egress-buffer",
                                   fmt::format("{} has no room for a credit, or a cell; write {} "
                                               "or more",
                                               config::format_size(buffer_),
                                               config::format_size(std::max(quantum_, cell_))));
    }
}

Json SimGrants::rows_of(const sim::GrantOutcome& outcome) const {
    Json rows = Json::array();
    for (std::size_t slice = 0; slice < settings_.slices.size(); ++slice) {
        for (unsigned n = 0; n < settings_.slices[slice]; ++n) {
            rows.push_back({{"slice", slice},
                            {"ingress_port", rows.size()},
                            {"share", outcome.shares[rows.size()]}});
        }
    }
    return rows;
}

Json SimGrants::document_of(const sim::GrantOutcome& outcome) const {
    return {{"grants", policy_},
            {"slices", settings_.slices},
            {"egress_ports", settings_.egress_ports},
            {"speed_bps", speed_},
            {"speed_up", speed_up_},
            {"cell_bytes", cell_},
            {"quantum_bytes", quantum_},
            {"interval_ps", settings_.interval.count()},
            {"rtt_ns", rtt_},
            {"span_ns", span_},
            {"bdp_bytes", sim::one_bdp(settings_).count()},
            {"egress_buffer_bytes", outcome.buffer.count()},
            {"utilisation", outcome.utilisation},
            {"fabric_load", outcome.fabric_load},
            {"most_outstanding_bytes", outcome.most_outstanding.count()},
            {"most_buffered_bytes", outcome.most_buffered.count()},
            {"credits", outcome.credits},
            {"ports", rows_of(outcome)}};
}

void SimGrants::print_table(const sim::GrantOutcome& outcome) const {
    const auto cells = [&](Bytes octets) {
        return fmt::format("{} B, {:.0f} cells", octets.count(),
                           static_cast<double>(octets.count()) / static_cast<double>(cell_));
    };
    fmt::print(
        "Credits of {} every {:.4g} ns by {}, {} egress port(s) of {}, round trip {}\n\n{}\n",
        config::format_size(quantum_), interval_, policy_, settings_.egress_ports,
        config::format_rate(speed_), config::format_time(rtt_),
        render_table(rows_of(outcome), grant_columns));
    fmt::print("Egress ports are {} busy, the fabric {}.\n", show_share(outcome.utilisation),
               show_share(outcome.fabric_load));
    fmt::print("Granted and not received yet: at most {}; one BDP is {}.\n",
               cells(outcome.most_outstanding), cells(sim::one_bdp(settings_)));
    fmt::print("Buffered at an egress port: at most {}, of {} B.\n", cells(outcome.most_buffered),
               outcome.buffer.count());
}

void SimGrants::run(Output output) {
    complete();
    const sim::GrantOutcome outcome = sim::simulate(settings_);
    if (output == Output::json) return print_json(document_of(outcome));
    if (output == Output::csv) return print_csv(rows_of(outcome));
    print_table(outcome);
}

}  // namespace sluice::cli
