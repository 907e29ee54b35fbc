// Reads the frames of a flow: their format, how long they are, and whether they can be marked.
//
// Formats but Ethernet's are those of PAXI over RC Link (AFH), and UEC's UFH: so many octets before
// the payload, then an ICRC and the FCS.
//
//   standard      50  Ethernet, IPv4, UDP, RH       with an ICRC, can be marked
//   afh_gen1      22  AFH, EtherType, RH            with an ICRC
//   afh_gen2_16b  22  the same with short addresses; so has afh_gen2_32b, of 32 bits
//   afh_lite      12  AFH alone                     without an ICRC, never tagged, never sent again
//   ufh_16b       14  UFH, EtherType                without an ICRC; so has ufh_32b
// A tag adds 4. A frame is 64 octets long at the least, as on any Ethernet. Where the ports of the
// switches are of such a format its frames have their own octets, and there are no others; where
// they are Ethernet's those of AFH have Ethernet's octets, and are but as long as theirs.
#pragma once

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// `of_ports`: a preset. Whether the flow is sent again is known.
void read_frames(Fields& fields, FlowSpec& spec, const FrameFormat& of_ports);

}  // namespace sluice::sim
