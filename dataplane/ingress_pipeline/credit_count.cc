#include "dataplane/ingress_pipeline/credit_count.h"

#include "dataplane/credits/credit_update.h"
#include "dataplane/ingress/loop_probe.h"

namespace sluice {

[[gnu::noinline]] void count_credit(PortCredit& credit, std::span<const Frame> burst,
                                    Verdicts& verdicts, Nanos now) {
    CreditEnd& end = credit.end;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        Drop& why = verdicts.drop[n];
        if (why == Drop::reserved_address) {
            const auto update = read_credit_update(octets);
            if (!update) continue;
            why = Drop::credit_update;
            credit.watch.received(end.receive(*update, read_address(&octets[6]), now));
        } else if (why == Drop::none && end.counts() && !read_loop_probe(octets)) {
            end.receiver().came(burst[n].priority, end.receiver().terms().cost(burst[n].size()));
        }
    }
}

}  // namespace sluice
