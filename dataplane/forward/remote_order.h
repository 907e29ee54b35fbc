// RemoteOrder: an order from control to the FDB about an address that EVPN advertises.
//   bind     adds a remote entry at the tunnel `port`, or replaces a learned entry by it
//   unbind   removes the remote entry; a learned or static entry stays
//   forget   removes the remote or learned entry
// A static entry stays in each case.
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
