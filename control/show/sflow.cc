#include "control/show/noun_snapshots.h"

#include <arpa/inet.h>

#include <array>

#include "control/sflow/manager.h"
#include "control/show/collectors.h"

namespace sluice::control {

namespace {

std::string text_of(const std::vector<uint8_t>& address) {
    if (address.empty()) return {};
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(address.size() == 4 ? AF_INET : AF_INET6, address.data(), text.data(), text.size());
    return text.data();
}

}  // namespace

Json sflow_snapshot(const View& view, bool) {
    Json shown{{"enabled", false}, {"collectors", Json::array()}, {"ports", Json::array()}};
    if (view.sflow == nullptr || !view.sflow->is_on()) return shown;
    const SflowManager& sflow = *view.sflow;
    shown = {{"enabled", true},
             {"agent", text_of(sflow.agent().address())},
             {"header_bytes", view.settings.sflow_header},
             {"polling_ns", sflow.polling().count()},
             {"datagrams", sflow.agent().datagrams()},
             {"collectors", collectors_of(sflow.collectors())},
             {"ports", Json::array()}};
    for (PortIndex port = 0; port < view.dataplane.port_count(); ++port) {
        if (view.ports[port].vacant) continue;
        const sflow::Agent::Source& source = sflow.agent().source(port);
        shown["ports"].push_back({{"port", view.ports[port].name},
                                  {"if_index", sflow.agent().if_index_of(port)},
                                  {"sampling", view.settings.ports[port].sflow_one_in},
                                  {"sample_pool", source.sample_pool},
                                  {"flow_samples", source.flow_samples},
                                  {"counter_samples", source.counter_samples},
                                  {"drops", sflow.drops(port)}});
    }
    return shown;
}

}  // namespace sluice::control
