// Checks: the checks of `sluice doctor`, one file for each subject. Each check adds findings, makes
// no changes, and needs only the rights of any user.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "tools/sluice/doctor/far_end.h"
#include "tools/sluice/doctor/finding.h"
#include "tools/sluice/doctor/machine.h"

namespace sluice::cli {

struct ExaminedPort {
    std::string name;
    std::string scheme;  // kind of the device, such as `af_packet`
    std::string target;  // device string after the scheme
    int64_t mtu = 1500;
    bool shared = false;  // whether the host uses the interface too
};

// Subject: a planned or running switch on the machine.
struct Subject {
    std::vector<ExaminedPort> ports;
    std::set<unsigned> cores;  // cores of the workers, if configured
    std::string socket;
    bool running = false;  // whether a sluiced answers at `socket`
    // The switch's configuration; empty: unknown.
    std::optional<config::Configuration> configuration = std::nullopt;

    [[nodiscard]] bool has(std::string_view scheme) const;
};

void check_memory(const Machine& machine, const Subject& subject, Findings& findings);
void check_processors(const Machine& machine, const Subject& subject, Findings& findings);
void check_kernel(const Machine& machine, const Subject& subject, Findings& findings);
// Whether the kernel passes VLAN tags that it stores outside of frames to XDP programs.
bool kernel_hands_tags_to_xdp(const Machine& machine);
void check_interfaces(const Machine& machine, const Subject& subject, const FarEnds& far_ends,
                      Findings& findings);
void check_hosts(const Machine& machine, const Subject& subject, const FarEnds& far_ends,
                 Findings& findings);
void check_devices(const Machine& machine, const Subject& subject, Findings& findings);
void check_leftovers(const Machine& machine, const Subject& subject, Findings& findings);

}  // namespace sluice::cli
