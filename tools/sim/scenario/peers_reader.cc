#include "tools/sim/scenario/peers_reader.h"

#include "dataplane/buffer/headroom.h"
#include "tools/sim/scenario/scenario_keys.h"

namespace sluice::sim {

void read_peers(Fields& file, const HostNames& names, std::vector<HostSpec>& hosts) {
    for (HostSpec& host : hosts) host.response = hardware_response(host.cable.speed);
    for (Fields& fields : file.maps("peers", keys::peers)) {
        Fields pauses = fields.map("pauses", keys::pauses);
        const bool obeys = fields.yes("obeys");
        const Nanos response(fields.number("response"));
        const Hold hold{static_cast<Priority>(pauses.number("priority")),
                        Nanos(pauses.number("at")), Nanos(pauses.number("for"))};
        for (const std::size_t n : names.named(fields, "hosts")) {
            HostSpec& host = hosts[n];
            if (fields.has("obeys")) host.obeys = obeys;
            if (fields.has("response")) host.response = response;
            if (pauses.written()) host.holds.push_back(hold);
        }
    }
}

}  // namespace sluice::sim
