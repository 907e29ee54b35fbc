// Frame reader: reads the frames of a flow: their format and length, and whether they can be
// marked.
//
// Formats other than Ethernet are those of PAXI over RC Link (AFH), and UEC's UFH: headers before
// the payload, then an ICRC and the FCS. RH is a header of 8 octets that only hosts read.
//
//   standard                    50  Ethernet, IPv4, UDP, RH with an ICRC; can be marked
//   afh_gen1                    22  AFH, EtherType, RH with an ICRC
//   afh_gen2_16b, afh_gen2_32b  22  like afh_gen1, with addresses of 16 and 32 bits
//   afh_lite                    12  only AFH, without an ICRC; never tagged, never resent
//   ufh_16b, ufh_32b            14  UFH and EtherType, without an ICRC
// The numbers are octets of headers. A tag adds 4. A frame has at least 64 octets, as on any
// Ethernet. Where the ports of the switches have one of these formats, frames of that format are
// written octet for octet, and a flow of another format is a fault. Where the ports are Ethernet,
// frames of these formats are written as Ethernet frames of the right length.
#pragma once

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Reads the frames of `spec`. `of_ports`: a preset. The transport must have been read already.
void read_frames(Fields& fields, FlowSpec& spec, const FrameFormat& of_ports);

}  // namespace sluice::sim
