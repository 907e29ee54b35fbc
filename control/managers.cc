#include "control/managers.h"

#include "control/offers/tlv_provider.h"

namespace sluice::control {

Managers::Managers(const Parts& parts)
    : dcbx(parts.publisher, parts.clock(), parts.events, parts.abilities),
      lldp(parts.dataplane, parts.publisher.running(), parts.host_name, parts.events),
      lacp(parts.dataplane, parts.publisher.running(), parts.events),
      querier(parts.dataplane, parts.publisher.running(), parts.clock(), parts.events),
      neighbours(parts.dataplane, parts.publisher.running(), parts.clock(), parts.events),
      rstp(parts.dataplane, parts.publisher.running(), parts.events),
      loop_guard(parts.dataplane, parts.publisher.running(), parts.events),
      evpn(
          parts.dataplane, parts.publisher.running(), parts.publisher.effective(), parts.clock(),
          parts.wake, parts.events, [] { return std::make_unique<evpn::KernelSocket>(); },
          parts.bundle_of),
      recorder(parts.dataplane, parts.publisher.running(), parts.clock, parts.events),
      sflow(parts.dataplane, parts.publisher.running(), parts.publisher.effective(), parts.clock(),
            parts.events),
      ipfix(parts.dataplane, parts.publisher.running(), parts.publisher.effective(), parts.clock,
            parts.events),
      publisher_(parts.publisher) {
    for (PortIndex port = 0; port < parts.publisher.running().ports.size(); ++port) {
        lldp.set_provider(
            port, with_offers(dcbx.tlv_provider(port), parts.publisher, parts.dataplane, port),
            parts.clock());
    }
}

void Managers::add_to(ServiceList& services) {
    services.add(ServiceId::dcbx, dcbx);
    services.add(ServiceId::lldp, lldp);
    services.add(ServiceId::lacp, lacp);
    services.add(ServiceId::querier, querier);
    services.add(ServiceId::neighbours, neighbours);
    services.add(ServiceId::rstp, rstp);
    services.add(ServiceId::loop_guard, loop_guard);
    services.add(ServiceId::evpn, evpn);
    services.add(ServiceId::recorder, recorder);
    services.add(ServiceId::sflow, sflow);
    services.add(ServiceId::ipfix, ipfix);
    services.add(ServiceId::stations,
                 [this](Nanos) { publisher_.neighbours(lldp.neighbour_addresses()); });
}

}  // namespace sluice::control
