// Checks: the checks of `sluice doctor`, one file for each subject. Each check adds findings,
// changes nothing, and needs no more rights than any user has.
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
    std::string scheme;  // of its device
    std::string target;  // the rest of it
    int64_t mtu = 1500;
    bool shared = false;  // the host keeps addresses of it
};

// The task of a switch on the machine, planned or running.
struct Subject {
    std::vector<ExaminedPort> ports;
    std::set<unsigned> cores;  // of its workers, where they are written
    std::string socket;
    bool running = false;  // a sluiced answers there
    // The switch's configuration; empty: unknown.
    std::optional<config::Configuration> configuration = std::nullopt;

    [[nodiscard]] bool has(std::string_view scheme) const;
};

void check_memory(const Machine& machine, const Subject& subject, Findings& findings);
void check_processors(const Machine& machine, const Subject& subject, Findings& findings);
void check_kernel(const Machine& machine, const Subject& subject, Findings& findings);
// True if the kernel gives XDP programs the tags that it keeps beside frames.
bool kernel_hands_tags_to_xdp(const Machine& machine);
void check_interfaces(const Machine& machine, const Subject& subject, const FarEnds& far_ends,
                      Findings& findings);
void check_hosts(const Machine& machine, const Subject& subject, const FarEnds& far_ends,
                 Findings& findings);
void check_devices(const Machine& machine, const Subject& subject, Findings& findings);
void check_leftovers(const Machine& machine, const Subject& subject, Findings& findings);

}  // namespace sluice::cli
