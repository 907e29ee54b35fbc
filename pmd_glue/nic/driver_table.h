// Driver table: what is known about each NIC driver, one row a driver, with its source: whether it
// passes pause frames in and out, and who receives LLDP.
//
// A row says what is possible, not what is in force: abilities.h queries the device as well. A
// property that the source does not decide is `open`, and so are all properties of drivers without
// a row. Rows are from the source of DPDK 22.11 and Linux 6.1, unless config/nics.md says that they
// were tested; properties of later DPDK releases name the release.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pmd_glue/release.h"

namespace sluice::pmd::nic {

enum class PauseReception : uint8_t {
    always,     // nothing is in between
    forwarded,  // with flow control off and MAC control frames forwarded (flow_control.h)
    rx_all,     // with the kernel's feature `rx-all` on
    open,
    never,
};

enum class PauseTransmission : uint8_t {
    always,       // nothing is in between
    unfiltered,   // the driver keeps none back
    by_priority,  // only what is sent with priority 7, and with the LLDP agent stopped
    open,
    never,
};

enum class LldpAgent : uint8_t {
    none,             // or the driver stops it
    of_old_firmware,  // which the driver dares not stop
    private_flag,     // stopped by it
    open,
};

// How a driver gives each priority a receive and a transmit queue of its own, with hardware PFC for
// each queue (lossless_queues.h).
enum class Queues : uint8_t {
    none,
    plain,       // as they are; there is no wire
    dcb,         // by DCB
    dcb_anew,    // by DCB, and PFC again after every start
    dcb_octets,  // the same, with marks in octets, and as many queues as there are priorities
    each_queue,  // PFC a queue, and rules that lead to it
};

// A private flag of ethtool(8). Empty: the driver has none for this.
struct PrivateFlag {
    std::string_view name;
    bool stops = false;  // what it is to be for the agent to stop
};

struct DriverRow {
    std::string_view name;
    PauseReception pause_reception = PauseReception::open;
    std::string_view pause_reception_why;  // of what is neither `always` nor plain
    PauseTransmission pause_transmission = PauseTransmission::open;
    std::string_view pause_transmission_why;
    LldpAgent agent = LldpAgent::open;
    std::string_view agent_why;  // and the command that helps
    PrivateFlag flag;
    bool reads_back = false;  // says itself whether it forwards MAC control frames
    // All its transmit queues lead to one wire, are served in turn and do not block each other, and
    // there can be one more transmit queue than receive queues: pauses get that queue (port.h). Not
    // set for a driver that drops pauses, nor in guests, whose host has all their queues behind one
    // port.
    bool has_pause_queue = false;
    Queues queues = Queues::none;
    std::string_view queues_source;   // of these, where they are of hardware
    Release queues_since = {22, 11};  // the first of DPDK's whose driver has them
    // The names of the extended statistics for PFC frames of a priority; `#` stands for the
    // priority (pause_counters.h).
    std::string_view pauses_received;
    std::string_view pauses_sent;
    std::string_view source;
};

// DPDK's drivers, by their names in DPDK.
std::span<const DriverRow> ethdev_drivers();
// The kernel's drivers, by their names in ethtool.
std::span<const DriverRow> kernel_drivers();

// The row of `name`, or that of a driver of which nothing is known.
const DriverRow& row_of(std::span<const DriverRow> table, std::string_view name);

}  // namespace sluice::pmd::nic
