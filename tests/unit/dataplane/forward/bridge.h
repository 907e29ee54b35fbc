// Bridge: a Forwarding, asked "who speaks to whom, from where", that answers with the outputs as
// digits or the name of the drop.
#pragma once

#include <string>

#include "dataplane/forward/forwarding.h"
#include "tests/support/octets.h"

namespace sluice::test {

// A bridge with four ports.
class Bridge {
  public:
    static Settings ordinary(uint8_t workers = 1) {
        Settings settings;
        settings.ports.resize(4);
        settings.workers = workers;
        settings.fdb.capacity = 256;
        return settings;
    }
    explicit Bridge(const Settings& settings = ordinary()) : forwarding(settings) {
        forwarding.housekeep(links, Nanos(0));
    }
    std::string send(PortIndex input, MacAddress from, MacAddress to, VlanId vlan = 1,
                     WorkerIndex worker = 0, uint32_t epoch = 0) {
        Frame frame{};
        frame.set_input(input);
        frame.vlan = vlan;
        Headers headers;
        headers.source = from;
        headers.destination = to;
        const auto probes =
            forwarding.shard(worker).prepare(FormatFamily::ethernet, true, frame, headers, {});
        Drop why = forwarding.shard(worker).accept(frame, probes.source, epoch);
        PortSet outputs = 0;
        if (why == Drop::none) {
            why = forwarding.shard(worker).route(frame, probes.destination, links, outputs);
        }
        if (why != Drop::none) return std::string(name_of(why));
        std::string digits;
        for (PortIndex port = 0; port < max_ports; ++port) {
            if ((outputs & only(port)) != 0) digits += static_cast<char>('0' + port);
        }
        return digits;
    }

    Forwarding forwarding;
    PortSet links = 0b1111;
};

}  // namespace sluice::test
