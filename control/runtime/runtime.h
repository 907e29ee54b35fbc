// Runtime: a Switch together with everything that it needs to run: EAL, frame buffers, ports,
// workers.
//
// `open` reports each port that cannot be opened. `put_away` undoes `open`, also if `open` failed:
// workers drain, ports close, EAL stops. `put_away` reports its current step to a deadline, because
// a driver may hang.
// Bound: memory is `frame_buffers` buffers, counted in buffers.cc, on each NUMA node in use
// (placement.h), and the memory of the Switch, of which each worker allocates its own part.
// Used by control's thread only. Not done here: deciding when to start and stop (daemon.h).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "config/configuration.h"
#include "control/proof/proof_file.h"
#include "control/runtime/placement.h"
#include "control/show/snapshot.h"
#include "control/socket/reply.h"
#include "dataplane/switch.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "pmd_glue/workers.h"

namespace sluice::control {

// Why a switch does not start: a line for each reason, and the exit status for a program.
struct StartFailure {
    Status status = Status::failed;
    std::vector<std::string> lines;
};

struct RuntimeOptions {
    std::vector<std::string> eal_arguments;
    // Resources of a companion in the same process, such as a traffic generator: threads on lcores
    // after the workers', and buffers in addition to the switch's.
    std::vector<unsigned> companion_cpus;
    std::size_t companion_buffers = 0;
};

// Returns the most buffers that queues, ports, workers and caches can hold at the same time.
std::size_t frame_buffers(const config::Configuration& configuration,
                          const std::vector<pmd::PortRequest>& ports,
                          const RuntimeOptions& options);
// Returns the most buffers that the devices of `ports` can hold, with `places` port slots.
std::size_t buffers_in_devices(const std::vector<pmd::PortRequest>& ports, std::size_t places);

// Checks devices and CPUs without using them. If the result has no lines, a start should succeed,
// provided that the proofs about devices are valid.
StartFailure check_machine(const config::Configuration& configuration, const Proofs& proofs);
// Checks the captures that ports play, except those of the devices `but`. Each file is read to its
// end, which may be slow, so control runs this in the background.
StartFailure check_captures(const config::Configuration& configuration,
                            std::span<const std::string> but);

// Adds a line if the machine has no room for the frame buffers. It must not be called if EAL's
// arguments choose the memory, nor while a switch runs on the machine, since that switch already
// occupies memory for its buffers.
void check_memory(const config::Configuration& configuration, StartFailure& failure);

class Deadline;

class Runtime {
  public:
    Runtime() : clock_(pmd::Clock::calibrated()) {}
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    ~Runtime();

    // Called once. Fills in the addresses and speeds that only devices know, and draws the FDB's
    // hash seed.
    std::optional<StartFailure> open(config::Configuration& configuration,
                                     const RuntimeOptions& options);

    // Returns a line for each port in `removed` that could not be opened again.
    [[nodiscard]] std::vector<std::string> would_not_open_again(
        const config::Configuration& running, PortSet removed, bool privileged) const;
    // Whether a port whose interface vanished is opened again when an interface of that name
    // appears.
    [[nodiscard]] bool reopens(const config::Configuration& running, PortIndex place,
                               bool privileged) const;
    // Opens ports in their slots of `next`, all of them or none. `privileged`: the process still
    // has the privileges of its start.
    using Opened = std::vector<std::pair<PortIndex, std::unique_ptr<pmd::Port>>>;
    tl::expected<Opened, StartFailure> open_ports(const config::Configuration& next, PortSet added,
                                                  bool privileged);
    // Adds a port to the workers.
    void add(PortIndex place, std::unique_ptr<pmd::Port> port);
    // Closes a port that no worker uses any more (workers.h). Its driver may hang.
    void close(PortIndex place);

    void start() { workers_->start(*eal_); }
    // Stops the workers. Returns when all have drained, or when a worker does not drain in time.
    void stop() { not_ended_ = workers_->stop(); }
    // Returns a line for each worker that did not drain, with the reason (workers.h).
    [[nodiscard]] const std::vector<std::string>& not_ended() const { return not_ended_; }
    // Closes everything. Called after the workers have ended. Afterwards no other function may be
    // called.
    void put_away(Deadline& deadline);
    // Removes what would outlive a process that ends without closing.
    void abandon();

    // Returns a port's link. The link of a tunnel is up if its underlay has link and its next hop
    // is known.
    [[nodiscard]] pmd::Link link_of(PortIndex port) const;
    // Returns the state of the devices, for snapshot.h.
    [[nodiscard]] std::vector<PortView> port_views(const std::vector<pmd::Link>& links) const;
    // Returns the networks of a point-to-multipoint tunnel; null for any other port.
    [[nodiscard]] Bundle* bundle(PortIndex port) const;
    // Returns the views of tunnels and of the ports below them.
    [[nodiscard]] TunnelViews tunnel_views() const;
    // Returns the capabilities of a port: those found when it was opened, and those proven before.
    [[nodiscard]] PortAbilities abilities_of_port(const pmd::Port& port) const;
    // Returns how many pause frames an earlier port in this slot received.
    [[nodiscard]] uint64_t pauses_before(PortIndex port) const { return pauses_before_[port]; }
    // Returns the capabilities by slot, including those proven since the port was opened.
    [[nodiscard]] std::span<const PortAbilities> abilities() const { return abilities_; }
    // Records that a capability is proven. Returns what ProofFile::add returns.
    ProofFile::Keeping prove(PortIndex port, const Seen& seen);
    std::string keep_proofs() { return proofs_.keep_last(); }
    // Returns notices about stored proofs for the operator, a line each.
    [[nodiscard]] const std::vector<std::string>& notices() const { return proofs_.notices(); }
    [[nodiscard]] std::vector<WorkerView> worker_views() const;
    // Returns the counters of polls by worker index; they keep counting.
    [[nodiscard]] std::vector<const Counter*> polls() const;

    [[nodiscard]] Switch& dataplane() { return *dataplane_; }
    [[nodiscard]] const Switch& dataplane() const { return *dataplane_; }
    [[nodiscard]] pmd::Eal& eal() { return *eal_; }
    [[nodiscard]] pmd::Pool& pool() { return *pools_.front(); }
    [[nodiscard]] const pmd::Clock& clock() const { return clock_; }
    [[nodiscard]] pmd::Workers& workers() { return *workers_; }
    [[nodiscard]] std::vector<std::unique_ptr<pmd::Port>>& ports() { return ports_; }
    // Whether a port exists, is not about to be removed, and its device has not vanished.
    [[nodiscard]] bool has(const config::Configuration& running, PortIndex place) const {
        return !running.ports[place].vacant && ports_[place] != nullptr;
    }
    [[nodiscard]] const std::vector<unsigned>& cpus() const { return cpus_; }  // the workers' CPUs
    [[nodiscard]] const Placement& placement() const { return placement_; }

  private:
    // Returns the identity from which the address of a port is made if its device has none
    // (pmd_glue/own_address.h).
    [[nodiscard]] uint64_t identity_for(const pmd::PortRequest& request) const;

    uint64_t identity_ = 0;  // identity of the switch
    // In the order of construction; destroyed in the reverse order.
    std::vector<unsigned> cpus_;
    Placement placement_;
    std::unique_ptr<pmd::Eal> eal_;
    pmd::Clock clock_;
    std::vector<pmd::Pool*> pools_;                  // in the order of placement_
    std::vector<std::unique_ptr<pmd::Port>> ports_;  // by slot; null: no port is there
    std::size_t device_buffers_ = 0;  // the most buffers that the devices of all ports hold
    std::array<std::size_t, max_ports> buffers_of_port_{};
    // Slots for ports that may have an address; workers reserved memory for these.
    PortSet below_tunnels_ = 0;
    std::array<uint64_t, max_ports> pauses_before_{};
    ProofFile proofs_;
    std::vector<PortAbilities> abilities_;  // by slot
    std::unique_ptr<Switch> dataplane_;
    std::unique_ptr<pmd::Workers> workers_;
    std::vector<std::string> not_ended_;
};

}  // namespace sluice::control
