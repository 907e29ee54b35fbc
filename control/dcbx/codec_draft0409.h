// CodecDraft0409: the TLVs of the proposal "DCBX Framework", az-pelissier-dcbx-framework-0409v3:
// OUI 00-80-C2, subtypes 8 to 13.
//
// The proposal gives a PFC TLV 6 octets on one page and 7, with DefOn, on another: both are
// accepted, and DefOn is written if defences are offered. A capability of eight is written as 0 in
// its three bits. The transmission selection of traffic classes is written as priority groups
// (priority_groups.h). Percentages must sum up to 100, except in a recommendation that is not valid
// (RV), where they are reserved.
// Bound: one pass. Not done here: telling dialects apart (dialect.h), which has to be done before.
#pragma once

#include <span>
#include <vector>

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "control/lldp/organisational.h"

namespace sluice::dcbx {

Advertisement read_draft0409(std::span<const lldp::OrganisationalTlv> tlvs, FaultCounters& faults);
std::vector<lldp::OrganisationalTlv> write_draft0409(const Advertisement& said);

}  // namespace sluice::dcbx
