#include "control/sflow/manager.h"

#include <utility>

#include "control/if_index.h"
#include "control/sflow/discard.h"
#include "dataplane/ledger.h"

namespace sluice::control {

SflowManager::SflowManager(Switch& dataplane, const config::Configuration& configuration,
                           const Settings& settings, Nanos now, EventSink& events)
    : dataplane_(dataplane),
      settings_(settings),
      events_(events),
      collectors_("sFlow", "sflow"),
      agent_([this](std::span<const uint8_t> datagram) { collectors_.send(datagram, now_); }, now) {
    configure(configuration, now);
}

void SflowManager::configure(const config::Configuration& configuration, Nanos now) {
    const config::SflowConfig& sflow = configuration.sflow;
    const bool was_on = is_on();
    collectors_.set(sflow.collectors);
    there_ = promiscuous_ = 0;
    const IfIndices indices = if_indices_of(configuration.ports);
    sflow::Agent::Interfaces interfaces{};
    for (PortIndex port = 0; port < configuration.ports.size(); ++port) {
        const config::PortConfig& about = configuration.ports[port];
        if (about.vacant) continue;
        there_ |= only(port);
        interfaces[port] = indices.find(about.name)->second;
        if (about.promiscuous) promiscuous_ |= only(port);
    }
    agent_.set_interfaces(interfaces);
    polling_ = sflow.polling;
    agent_.set_polling(is_on() ? polling_ : Nanos(0), configuration.ports.size(), now);
    written_address_ = sflow.agent.empty() ? configuration.lldp.management_address : sflow.agent;
    if (!is_on()) return;
    if (!was_on) {
        // Discards samples from before sFlow was turned on; they are too old to send.
        for (WorkerIndex worker = 0; worker < dataplane_.worker_count(); ++worker) {
            dataplane_.sampling(worker).take([](const FlowRecord&, auto) {});
        }
    }
    choose_address(now);
}

void SflowManager::choose_address(Nanos now) {
    agent_.set_address(!written_address_.empty() ? written_address_
                                                 : collectors_.all().front()->local_address(now));
}

void SflowManager::tick(Nanos now) {
    if (!is_on()) return;
    now_ = now;
    if (agent_.address().empty()) choose_address(now);
    take_samples(now);
    read_counters(now);
    agent_.flush(now);
    collectors_.report(events_);
}

void SflowManager::take_samples(Nanos now) {
    for (WorkerIndex worker = 0; worker < dataplane_.worker_count(); ++worker) {
        dataplane_.sampling(worker).take(
            [&](const FlowRecord& record, std::span<const uint8_t> header) {
                const PortIndex port = dataplane_.port_of(record.input);
                agent_.add(settings_, port, record, header, drops(port), now);
            });
    }
}

void SflowManager::read_counters(Nanos now) {
    for_each_port(there_, [&](PortIndex port) {
        if (!agent_.counters_are_due(port, now)) return;
        agent_.add(port, counters_of(port), now);
    });
}

sflow::InterfaceCounters SflowManager::counters_of(PortIndex port) const {
    const Switch& seen = dataplane_;
    const PortSettings& about = settings_.ports[port];
    const PortCounters& own = seen.counters(port);
    const auto in_all_lanes = [&](auto of) {
        return seen.sum_of_lanes(port, [&](InputIndex lane) { return of(seen.counters(lane)); });
    };
    uint64_t errors = 0;
    uint64_t discards = 0;
    for (const DropName& row : drop_names) {
        if (is_consumed(row.reason)) continue;
        (sflow::is_error(row.reason) ? errors : discards) +=
            dropped_by_input(seen, port, row.reason);
    }
    const auto words = [](uint64_t count) { return static_cast<uint32_t>(count); };
    return {
        .index = agent_.if_index_of(port),
        .speed = static_cast<uint64_t>(about.speed.count()),
        .admin_up = about.enabled,
        .oper_up = seen.link(port),
        .in_octets = in_all_lanes([](const PortCounters& lane) { return lane.rx_bytes.value(); }),
        .in_frames =
            words(in_all_lanes([](const PortCounters& lane) { return lane.rx_frames.value(); })),
        .in_discards = words(discards),
        .in_errors = words(errors),
        .out_octets = own.tx_bytes.value(),
        .out_frames = words(own.tx_frames.value()),
        .out_discards = words(own.egress_drops.total()),
        .promiscuous = (promiscuous_ & only(port)) != 0,
        .frames_too_long = words(dropped_by_input(seen, port, Drop::oversize)),
    };
}

uint64_t SflowManager::drops(PortIndex port) const {
    return std::as_const(dataplane_).sum_of_lanes(port, [&](InputIndex lane) {
        return dataplane_.sampling(dataplane_.worker_of(lane)).lost(lane);
    });
}

}  // namespace sluice::control
