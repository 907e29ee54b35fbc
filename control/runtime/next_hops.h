// NextHops: passes packets of ARP and neighbour discovery from the devices below tunnels to the
// NeighbourManager, and the next hops that it finds to the devices of the tunnels.
//
// Bound: a tick takes at most what the mailboxes of each port hold.
#pragma once

#include "control/neighbours/manager.h"
#include "control/publish.h"
#include "control/runtime/runtime.h"
#include "control/service.h"

namespace sluice::control {

class NextHops final : public Service {
  public:
    NextHops(Runtime& runtime, const Publisher& publisher, NeighbourManager& neighbours)
        : runtime_(runtime), publisher_(publisher), neighbours_(neighbours) {}

    void tick(Nanos now) override;

  private:
    Runtime& runtime_;
    const Publisher& publisher_;
    NeighbourManager& neighbours_;
};

}  // namespace sluice::control
