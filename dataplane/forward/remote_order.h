// RemoteOrder: what control wants the FDB to have of an address that EVPN advertises.
//   bind     it is behind the tunnel `port`, wherever it was learned
//   unbind   it is behind no tunnel any more; what it was bound to otherwise stays
//   forget   it is nowhere
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
