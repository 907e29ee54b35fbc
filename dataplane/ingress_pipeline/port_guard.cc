#include "dataplane/ingress_pipeline/port_guard.h"

#include "dataplane/ingress/loop_probe.h"

namespace sluice {

[[gnu::noinline]] void guard_port(IngressContext& context, std::span<const Frame> burst,
                                  Verdicts& verdicts) {
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Drop& why = verdicts.drop[n];
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        if (context.loop_guard != 0 && may_be_probe(why, context.refusal) &&
            is_probe_of(context.loop_guard, octets)) {
            why = context.control.take(ControlProtocol::loop_probe, octets);
        } else if (why == Drop::none) {
            why = context.refusal;
        }
    }
}

}  // namespace sluice
