#include "tools/sluice/doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "config/loader.h"
#include "config/terminal.h"
#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/doctor/cable.h"
#include "tools/sluice/doctor/checks.h"
#include "tools/sluice/json_text.h"

namespace sluice::cli {

namespace {

// Requests the configuration of the running switch.
std::optional<std::string> running_configuration(const std::string& socket) {
    auto client = Client::connect(socket);
    if (!client) return std::nullopt;
    const auto answer = client->ask({{"show", "config"}});
    if (!answer) return std::nullopt;
    return answer->at("text").get<std::string>();
}

void describe(const config::Configuration& configuration, Subject& subject) {
    for (const config::PortConfig& port : configuration.ports) {
        const std::size_t colon = port.device.find(':');
        // Text after a comma is options of the device.
        const std::string rest = port.device.substr(colon + 1);
        subject.ports.push_back({.name = port.name,
                                 .scheme = port.device.substr(0, colon),
                                 .target = rest.substr(0, rest.find(',')),
                                 .mtu = port.mtu.count(),
                                 .shared = port.host.addresses});
    }
    subject.cores.insert(configuration.workers.cores.begin(), configuration.workers.cores.end());
    subject.configuration = configuration;
}

int print_lines(const std::vector<std::string>& lines, int status) {
    for (const std::string& line : lines) fmt::print(stderr, "{}\n", config::escaped(line));
    return status;
}

Findings examine(const Machine& machine, const Subject& subject) {
    Findings findings;
    std::vector<std::string> interfaces;
    for (const ExaminedPort& port : subject.ports) {
        if (port.scheme == "af_packet" || port.scheme == "af_xdp") {
            interfaces.push_back(port.target);
        }
    }
    const FarEnds far_ends = far_ends_of(machine, interfaces);
    check_memory(machine, subject, findings);
    check_processors(machine, subject, findings);
    check_kernel(machine, subject, findings);
    check_devices(machine, subject, findings);
    check_interfaces(machine, subject, far_ends, findings);
    check_hosts(machine, subject, far_ends, findings);
    check_leftovers(machine, subject, findings);
    return findings;
}

// Makes a change. Returns what was done, or why it failed.
std::string mend(const Machine& machine, const Fix& fix) {
    const std::string file = machine.at(fix.file);
    if (fix.text.empty()) {
        std::error_code reason;
        std::filesystem::remove(file, reason);
        return reason ? fmt::format("{} could not be removed: {}", fix.file, reason.message())
                      : fmt::format("{} is removed", fix.file);
    }
    const std::string before = machine.text(fix.file).value_or("");
    std::ofstream out(file);
    out << fix.text << '\n';
    out.close();
    return out ? fmt::format("{} is {}; it was {}", fix.file, fix.text, before)
               : fmt::format("{} could not be written; as root: echo {} > {}", fix.file, fix.text,
                             fix.file);
}

std::vector<std::string> mend(const Machine& machine, const Findings& findings) {
    std::vector<std::string> done;
    for (const Finding& finding : findings) {
        for (const Fix& fix : finding.fixes) done.push_back(mend(machine, fix));
    }
    return done;
}

// Prints the findings. Commands are not folded, so that they can be copied.
void print(const Findings& findings) {
    std::size_t width = 0;
    for (const Finding& finding : findings) width = std::max(width, finding.name.size());
    for (const Finding& finding : findings) {
        const std::string line =
            fmt::format("{}  {:<{}}  {}\n", name_of(finding.verdict), config::escaped(finding.name),
                        width, config::escaped(finding.what));
        fmt::print("{}", config::hanging(line, config::width_of_output()));
        if (!finding.command.empty()) {
            fmt::print("{:{}}{}\n", "", width + 8, config::escaped(finding.command));
        }
    }
}

void print_json(const Findings& findings, const std::vector<std::string>& fixed) {
    Json rows = Json::array();
    for (const Finding& finding : findings) {
        rows.push_back({{"name", finding.name},
                        {"verdict", name_of(finding.verdict)},
                        {"what", finding.what},
                        {"command", finding.command},
                        {"fixable", !finding.fixes.empty()}});
    }
    fmt::print("{}\n", json_text({{"findings", std::move(rows)}, {"fixed", fixed}}, 2));
}

}  // namespace

int doctor(const DoctorOptions& options) {
    if (!options.cable.empty()) return try_cable(options);
    Subject subject{.ports = {}, .cores = {}, .socket = options.socket};
    if (!options.file.empty()) {
        const auto configuration = config::load(options.file, config::FileKind::any);
        if (!configuration) return print_lines(lines_of(configuration.error()), 2);
        describe(*configuration, subject);
        if (subject.socket.empty()) subject.socket = configuration->control.socket;
    }
    if (subject.socket.empty()) subject.socket = default_socket;
    const auto running = running_configuration(subject.socket);
    subject.running = running.has_value();
    if (options.file.empty() && running) {
        const auto configuration = config::load_text(*running, "running");
        if (!configuration) return print_lines(lines_of(configuration.error()), 1);
        describe(*configuration, subject);
    }
    const Machine machine(options.root);
    Findings findings = examine(machine, subject);
    std::vector<std::string> fixed;
    if (options.fix) {
        fixed = mend(machine, findings);
        findings = examine(machine, subject);
    }
    if (options.json) {
        print_json(findings, fixed);
    } else {
        for (const std::string& line : fixed) fmt::print("{}\n", config::escaped(line));
        print(findings);
    }
    return std::ranges::find(findings, Verdict::bad, &Finding::verdict) == findings.end() ? 0 : 1;
}

}  // namespace sluice::cli
