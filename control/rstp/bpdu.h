// Bpdu: reads and writes bridge protocol data units: configuration and topology change notification
// BPDUs of STP, and RST BPDUs (802.1D-2004 9.3, which 802.1Q clause 14 keeps).
//
// A BPDU is checked as in 9.3.4: the protocol identifier is 0, the type is known, and the octets of
// that type are there. From a version above 2 (MSTP) only the fields of version 2 are read. A port
// role of 0 in an RST BPDU is read as designated, as in a configuration BPDU. Bound: O(1); 36
// octets after LLC; reading allocates nothing. Not done here: answering BPDUs (bridge.h); Cisco's
// PVST+, which is sent to another address.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/rstp/priority_vector.h"
#include "dataplane/types/address.h"
#include "dataplane/types/units.h"

namespace sluice::rstp {

using Octets = std::vector<uint8_t>;

enum class BpduKind : uint8_t { configuration, topology_change, rst };

// The role in an RST BPDU (9.2.9); a configuration BPDU is always from a designated port.
enum class MessageRole : uint8_t { unknown, alternate_or_backup, root, designated };

struct Bpdu {
    BpduKind kind = BpduKind::rst;
    MessageRole role = MessageRole::designated;
    bool topology_change = false;
    bool topology_change_ack = false;  // flag of a configuration BPDU
    // Flags of an RST BPDU:
    bool proposal = false;
    bool learning = false;
    bool forwarding = false;
    bool agreement = false;
    PriorityVector priority;
    Times times;

    friend bool operator==(const Bpdu&, const Bpdu&) = default;
};

// Reads a BPDU from the octets of a frame. Returns empty if they are no BPDU, or a BPDU to be
// discarded.
std::optional<Bpdu> read_bpdu(std::span<const uint8_t> frame);

// Returns a whole frame from `source`, without FCS.
Octets frame_of(const Bpdu& bpdu, MacAddress source);

}  // namespace sluice::rstp
