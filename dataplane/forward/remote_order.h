// RemoteOrder: an order of control to the FDB about an address that EVPN advertises.
//   bind     the address is behind the tunnel `port`, wherever it was learned
//   unbind   the address is behind no tunnel any more; a learned or static entry stays
//   forget   the address is nowhere
// A static entry stays whatever is ordered.
#pragma once

#include <cstdint>

#include "dataplane/types/limits.h"

namespace sluice {

struct RemoteOrder {
    enum class Kind : uint8_t { bind, unbind, forget } kind = Kind::unbind;
    PortIndex port = 0;

    friend bool operator==(const RemoteOrder&, const RemoteOrder&) = default;
};

}  // namespace sluice
