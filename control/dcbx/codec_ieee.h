// CodecIeee: the TLVs of the final standard (802.1Q-2014 annex D.2): OUI 00-80-C2, subtypes 8 to 12
// and 16.
//
// TLVs of another OUI or subtype are skipped. A TLV with a fault is counted and left out (fault.h).
// Percentages must sum up to 100, or to 0 if no class has a share of the bandwidth.
// Bound: one pass; a table holds at most 168 entries. Not done here: telling dialects apart
// (dialect.h), which has to be done before, because 0409v3 has the same subtypes.
#pragma once

#include <span>
#include <vector>

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "control/lldp/organisational.h"

namespace sluice::dcbx {

Advertisement read_ieee(std::span<const lldp::OrganisationalTlv> tlvs, FaultCounters& faults);
std::vector<lldp::OrganisationalTlv> write_ieee(const Advertisement& said);

}  // namespace sluice::dcbx
