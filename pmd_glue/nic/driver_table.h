// Driver table: known properties of each NIC driver, one row for each, with the source: whether it
// lets software receive and send pause frames, and whether the firmware or the port receives LLDP.
//
// A row states what is possible; abilities.h queries the device for its current state. A property
// that the driver's source leaves undecided is `open`, and so are all properties of drivers without
// a row. Rows are from the source of DPDK 22.11 and Linux 6.1, unless config/nics.md says that they
// were tested; properties of later DPDK releases name the release.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pmd_glue/release.h"

namespace sluice::pmd::nic {

enum class PauseReception : uint8_t {
    always,     // a virtual device: no hardware could filter frames
    forwarded,  // needs flow control off and forwarding of MAC control frames on (flow_control.h)
    rx_all,     // needs the kernel's feature `rx-all`
    open,
    never,
};

enum class PauseTransmission : uint8_t {
    always,       // a virtual device: no hardware could filter frames
    unfiltered,   // the driver filters no pause frames
    by_priority,  // only frames of priority 7 pass, and only with the LLDP agent stopped
    open,
    never,
};

enum class LldpAgent : uint8_t {
    none,             // no agent, or the driver stops the agent
    of_old_firmware,  // the driver cannot stop the agent of old firmware
    private_flag,     // a private flag stops the agent
    open,
};

// How a driver gives each priority a receive and a transmit queue of its own, with hardware PFC for
// each queue (lossless_queues.h).
enum class Queues : uint8_t {
    none,
    plain,     // queues exist already; there is no wire
    dcb,       // DCB configures the queues
    dcb_anew,  // DCB; PFC is set again after every start
    // DCB; PFC is set again after every start, with water marks in octets. One queue for each
    // priority.
    dcb_octets,
    each_queue,  // PFC for each queue, with flow rules that steer frames to it
};

// A private flag of ethtool(8). The name is empty if the driver has no such flag.
struct PrivateFlag {
    std::string_view name;
    bool stops = false;  // the value at which the flag stops the LLDP agent
};

struct DriverRow {
    std::string_view name;
    PauseReception pause_reception = PauseReception::open;
    std::string_view pause_reception_why;  // reason, unless `always` or `forwarded`
    PauseTransmission pause_transmission = PauseTransmission::open;
    std::string_view pause_transmission_why;
    LldpAgent agent = LldpAgent::open;
    std::string_view agent_why;  // reason, and the command that helps
    PrivateFlag flag;
    bool reads_back = false;  // the driver reports correctly whether it forwards MAC control frames
    // Whether pauses can have a transmit queue of their own (port.h): all transmit queues of a NIC
    // lead to one wire, are served in turn and do not block each other, and there can be one more
    // transmit queue than receive queues. Not set for a driver that drops pauses, nor for guests,
    // whose host sends all their queues through one port.
    bool has_pause_queue = false;
    Queues queues = Queues::none;
    std::string_view queues_source;   // source for `queues` of hardware
    Release queues_since = {22, 11};  // first release of DPDK whose driver has these queues
    // Names of the extended statistics for PFC frames of a priority; `#` is replaced by the
    // priority (pause_counters.h).
    std::string_view pauses_received;
    std::string_view pauses_sent;
    std::string_view source;
};

// Returns DPDK's drivers, with DPDK's names.
std::span<const DriverRow> ethdev_drivers();
// Returns the kernel's drivers, with the names that ethtool shows.
std::span<const DriverRow> kernel_drivers();

// Returns the row of `name`, or the row of an unknown driver.
const DriverRow& row_of(std::span<const DriverRow> table, std::string_view name);

}  // namespace sluice::pmd::nic
