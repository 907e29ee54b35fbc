#include "control/dcbx/protocol.h"

#include "control/dcbx/capability.h"
#include "control/dcbx/protocol_cee.h"
#include "control/dcbx/protocol_draft0409.h"
#include "control/dcbx/protocol_ieee.h"

namespace sluice::dcbx {

FeatureStatus status_of_pfc(const Symmetric<PrioritySet>& machine, const Advertisement& received) {
    FeatureStatus row = status_of(Feature::pfc, machine);
    row.asked = machine.asked();
    if (received.pfc) row.peer_pfc = received.pfc->parameter;
    row.peer_defences = defences_of(received.pfc);
    if (!row.mismatch && !can_pause(received, machine.oper_param())) {
        row.mismatch = Mismatch::capability;
    }
    return row;
}

std::unique_ptr<Protocol> make_protocol(Dialect dialect) {
    switch (dialect) {
        case Dialect::ieee:
            return std::make_unique<ProtocolIeee>();
        case Dialect::draft0409:
            return std::make_unique<ProtocolDraft0409>();
        case Dialect::cee:
            break;
    }
    return std::make_unique<ProtocolCee>();
}

}  // namespace sluice::dcbx
