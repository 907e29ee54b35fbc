#include "dataplane/ingress_pipeline/port_guard.h"

#include "dataplane/ingress/loop_probe.h"

namespace sluice {

[[gnu::noinline]] void guard_port(const PortGuard& guard, ControlReceiver& control,
                                  Forwarding::Shard& forwarding, std::span<const Frame> burst,
                                  Verdicts& verdicts, Nanos now) {
    const uint32_t epoch = Fdb::epoch_of(now);
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const Drop why = verdicts.drop[n];
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        if (guard.loop_guard != 0 && may_be_probe(why, guard.refusal) &&
            is_probe_of(guard.loop_guard, octets)) {
            const Drop taken = control.take(ControlProtocol::loop_probe, octets);
            verdicts.take_out(n, burst.size(), taken);
        } else if (why == Drop::none) {
            verdicts.drop[n] = guard.refusal;
            if (guard.learns) forwarding.accept(burst[n], verdicts.probes[n].source, epoch);
        }
    }
}

}  // namespace sluice
