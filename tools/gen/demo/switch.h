// DemoSwitch: a switch on ring ports inside this process, with the generator's links on the other
// ends of the rings. It is the switch of sluiced, with a built-in configuration or that of a
// scenario. In a scenario a ring with both ends at ports is a cable between two switches, which are
// VLANs of one process; stations are connected to the rings with one end at a port.
//
// Priority 3 is lossless, the others are not. Buffers are sized in frames of the demo's length, so
// short and long frames show the same behaviour.
// Bound: one worker on the first CPU, the generator on the second, or both on the only one.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/daemon/daemon.h"
#include "dataplane/switch.h"
#include "tools/gen/device_link.h"

namespace sluice::gen {

inline constexpr Priority demo_lossless = 3;
inline constexpr uint16_t longest_demo_frame = 1522;  // with FCS, at an MTU of 1500
// A ring has no speed, so this speed only defines how long a pause lasts: 3.4 s. On shared CPUs a
// thread may wait a third of a second for its turn, and a pause must not end by itself in that
// time.
inline constexpr BitsPerSecond demo_speed{10'000'000};

// One switch, or two in a row: the lower half of the ports belongs to one, the upper half to the
// other, and a cable connects them.
enum class DemoSwitches : uint8_t { one, two };

// Returns the configuration, in the format of a file.
std::string demo_configuration(std::size_t ports, uint16_t frame_octets, unsigned cpu,
                               const std::string& socket,
                               uint32_t addresses = FdbSettings{}.capacity,
                               DemoSwitches switches = DemoSwitches::one);

class DemoSwitch {
  public:
    // Starts a switch. `socket`: the socket for `sluice show`; empty: none. `addresses`: the
    // capacity of its FDB. On failure returns the reasons, a line each.
    using Started = tl::expected<std::unique_ptr<DemoSwitch>, std::vector<std::string>>;
    static Started start(std::size_t ports, uint16_t frame_octets, const std::string& socket,
                         uint32_t addresses = FdbSettings{}.capacity,
                         DemoSwitches switches = DemoSwitches::one);
    // Starts a switch by a configuration file.
    static Started start(const std::string& file, const std::string& socket);
    ~DemoSwitch();
    DemoSwitch(const DemoSwitch&) = delete;
    DemoSwitch& operator=(const DemoSwitch&) = delete;

    // `launch` starts `function(argument)` on the generator's lcore; `wait` waits for its end.
    void launch(int (*function)(void*), void* argument);
    void wait();
    // Runs control for this time: it watches the switch and answers requests.
    void attend(std::chrono::microseconds time) { daemon_->run_once(time); }
    // Runs control until `condition` is true; returns false if it is still false after `limit`.
    template <class Condition>
    bool attend_until(Condition condition, std::chrono::steady_clock::duration limit) {
        const auto give_up = std::chrono::steady_clock::now() + limit;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > give_up) return false;
            attend(std::chrono::milliseconds(1));
        }
        return true;
    }
    // Clears watermarks; returns once the worker has done so, or after a tenth of a second.
    void clear_watermarks();
    // Orders the switch to forget every learned address.
    void forget_addresses() { daemon_->runtime().dataplane().flush_fdb(); }

    [[nodiscard]] const Switch& fabric() const { return daemon_->runtime().dataplane(); }
    // Returns the longest time between two polls of the switch's worker, since the start or since
    // watermarks were cleared.
    [[nodiscard]] Nanos longest_gap() const {
        const auto& counters = daemon_->runtime().workers().counters(0);
        return Nanos(static_cast<int64_t>(counters.longest_gap_ns.value()));
    }
    [[nodiscard]] const pmd::Clock& clock() const { return daemon_->runtime().clock(); }
    [[nodiscard]] std::span<Link* const> links() const { return link_views_; }
    // Returns the ports of the stations, in the order of `links`.
    [[nodiscard]] const std::vector<PortIndex>& stations() const { return stations_; }
    [[nodiscard]] const std::string& name_of(PortIndex port) const {
        return configuration_.ports[port].name;
    }
    [[nodiscard]] const Settings& settings() const { return configuration_.settings; }
    // Whether switch and generator share a CPU.
    [[nodiscard]] bool shares_cpu() const { return shares_cpu_; }

  private:
    static Started start(config::Configuration configuration, const std::string& socket);
    DemoSwitch(std::unique_ptr<control::Daemon> daemon, bool shares_cpu)
        : daemon_(std::move(daemon)), shares_cpu_(shares_cpu) {}

    // `links_` is declared after `daemon_` and so is destroyed first: the links use the daemon's
    // buffers.
    std::unique_ptr<control::Daemon> daemon_;
    const bool shares_cpu_;
    std::vector<std::unique_ptr<DeviceLink>> links_;
    std::vector<Link*> link_views_;
    std::vector<PortIndex> stations_;
    config::Configuration configuration_;
};

}  // namespace sluice::gen
