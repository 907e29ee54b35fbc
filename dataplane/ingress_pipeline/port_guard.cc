#include "dataplane/ingress_pipeline/port_guard.h"

#include "dataplane/ingress/loop_probe.h"

namespace sluice {

[[gnu::noinline]] void guard_port(IngressContext& context, std::span<const Frame> burst,
                                  Verdicts& verdicts) {
    const bool learns = context.refusal == Drop::stp_discarding &&
                        context.ingress.format().is_standard &&
                        context.shared.learns_alone(context.port);
    const uint32_t epoch = Fdb::epoch_of(context.now);
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const Drop why = verdicts.drop[n];
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        if (context.loop_guard != 0 && may_be_probe(why, context.refusal) &&
            is_probe_of(context.loop_guard, octets)) {
            const Drop taken = context.control.take(ControlProtocol::loop_probe, octets);
            verdicts.take_out(n, burst.size(), taken);
        } else if (why == Drop::none) {
            verdicts.drop[n] = context.refusal;
            if (learns) context.forwarding.accept(burst[n], verdicts.probes[n].source, epoch);
        }
    }
}

}  // namespace sluice
