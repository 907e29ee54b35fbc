// CodecCee: the one TLV of "DCB Capability Exchange Protocol Base Specification Rev 1.01" (CEE):
// OUI 00-1B-21, subtype 2, and its sub-TLVs Control, Priority Group, PFC and Application.
//
// A TLV whose sub-TLVs exceed it, and a TLV without Control, are ignored; a sub-TLV with a fault is
// left out. Sub-TLVs of other types and subtypes are skipped. An application names a set of
// priorities: each becomes an entry of its own, placed next to the other entries of that protocol.
// When written, the entries of one protocol become one.
// Bound: one pass over at most 507 octets. Every sub-TLV has a header of two octets, so the pass
// ends.
#pragma once

#include <span>
#include <vector>

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "control/lldp/organisational.h"

namespace sluice::dcbx {

Advertisement read_cee(std::span<const lldp::OrganisationalTlv> tlvs, FaultCounters& faults);
// Returns an empty list if `said` has no Control.
std::vector<lldp::OrganisationalTlv> write_cee(const Advertisement& said);

}  // namespace sluice::dcbx
