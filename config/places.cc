#include "config/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::config {

namespace {

// The slot of each port, indexed by the port's position in the next file.
using NewPlaces = std::array<PortIndex, max_ports>;

std::vector<WorkerIndex> lanes_of(const Configuration& configuration, std::size_t port) {
    std::vector<WorkerIndex> lanes;
    for (const LaneSettings& lane : configuration.settings.lanes) {
        if (lane.port == port) lanes.push_back(lane.worker);
    }
    return lanes;
}

PortSet moved(PortSet ports, const NewPlaces& to) {
    PortSet set = 0;
    for_each_port(ports, [&](PortIndex port) { set |= only(to[port]); });
    return set;
}

// Updates all settings that refer to a port by its index.
void move_references(Configuration& next, const NewPlaces& to) {
    Settings& settings = next.settings;
    for (StaticEntry& entry : settings.fdb.static_entries) entry.port = to[entry.port];
    for (PortSet& members : settings.vlan.members) members = moved(members, to);
    for (PortSet& untagged : settings.vlan.untagged) untagged = moved(untagged, to);
    for (AggregationSettings& group : settings.aggregations) {
        group.members = moved(group.members, to);
    }
    for (AggregationConfig& group : next.aggregations) group.members = moved(group.members, to);
    settings.multicast.router_ports = moved(settings.multicast.router_ports, to);
    for (StaticGroup& group : settings.multicast.groups) group.ports = moved(group.ports, to);
    for (MirrorSettings& mirror : settings.mirrors) {
        mirror.from = moved(mirror.from, to);
        mirror.to = to[mirror.to];
    }
    for (PortSet* named : {&next.recorder.settings.ports, &next.ipfix.ports}) {
        if (*named != ~PortSet{0}) *named = moved(*named, to);
    }
    for (LaneSettings& lane : settings.lanes) lane.port = to[lane.port];
    for (PortSettings& port : settings.ports) {
        if (port.underlay != no_underlay) port.underlay = to[port.underlay];
        if (port.pfc.relay.to != no_relay) port.pfc.relay.to = to[port.pfc.relay.to];
    }
}

// Returns the settings of a vacant port slot.
PortSettings vacant_settings(const PortSettings& laid_out, Bytes longest) {
    PortSettings settings;
    settings.worker = laid_out.worker;
    settings.format = laid_out.format;
    settings.enabled = false;
    // A vacant slot does not lower the shortest max_frame (forward/mtu_table.h).
    settings.max_frame = longest;
    return settings;
}

Bytes longest_frame(const Settings& settings) {
    Bytes longest;
    for (const PortSettings& port : settings.ports) longest = std::max(longest, port.max_frame);
    return longest;
}

PortConfig vacant_port() {
    PortConfig port;
    port.vacant = true;
    port.lldp.mode = LldpMode::disabled;
    port.dcbx.mode = DcbxMode::disabled;
    return port;
}

class Placing {
  public:
    Placing(const Configuration& next, const Configuration& running, PortSet free)
        : next_(next), running_(running), free_(free) {
        place_of_.fill(nowhere);
    }

    std::vector<Fault> find() {
        Report report(next_.source.file);
        // Ports with the same name are matched first, as several ports may have one device.
        for (const bool by_name : {true, false}) {
            for (std::size_t port = 0; port < next_.ports.size(); ++port) keep(port, by_name);
        }
        for (std::size_t port = 0; port < next_.ports.size(); ++port) {
            if (place_of_[port] == nowhere) assign_place(port, report);
        }
        if (report.clean()) check_relays(report);
        return report.take();
    }
    [[nodiscard]] const NewPlaces& new_places() const { return place_of_; }

  private:
    static constexpr PortIndex nowhere = max_ports;

    void keep(std::size_t port, bool by_name) {
        if (place_of_[port] != nowhere) return;
        const PortConfig& about = next_.ports[port];
        for (PortIndex place = 0; place < running_.ports.size(); ++place) {
            const PortConfig& there = running_.ports[place];
            const bool same = !there.vacant && there.device == about.device &&
                              (!by_name || there.name == about.name);
            if (!same || (taken_ & only(place)) != 0) continue;
            take(port, place);
            return;
        }
    }
    void assign_place(std::size_t port, Report& report) {
        PortIndex place = 0;
        while (place < running_.ports.size() && !fits(port, place)) ++place;
        if (place < running_.ports.size()) return take(port, place);
        const std::string path = fmt::format("ports[{}]", port);
        const std::size_t places = running_.ports.size();
        if ((free_ & ~taken_) == 0) {
            report.add(next_.source.position_of(path), path,
                       fmt::format("all {} port slots are in use", places),
                       fmt::format("remove another port first, or write a hotplug.ports above {} "
                                   "and restart sluiced",
                                   places));
        } else {
            report.add(next_.source.position_of(path), path,
                       "no free port slot was allocated for its worker, receive queues and format",
                       "leave these out, or restart sluiced");
        }
    }
    // Checks that both ports of a pause relay have one worker. The slot of a port may belong to
    // another worker than its position in the file would give. A tunnel and the port below it keep
    // their slots: both are opened only when the switch starts.
    void check_relays(Report& report) const {
        for (std::size_t port = 0; port < next_.ports.size(); ++port) {
            const PortIndex other = next_.settings.ports[port].pfc.relay.to;
            if (!next_.ports[port].tunnel || other == no_relay) continue;
            const WorkerIndex theirs = worker_at(port);
            if (worker_at(other) == theirs) continue;
            const std::string path = fmt::format("ports[{}].pause_relay.port", port);
            report.add(
                next_.source.position_of(path), path,
                fmt::format("{} has a port slot of worker {}, and the tunnel one of worker {}",
                            next_.ports[other].name, worker_at(other), theirs),
                fmt::format("write worker: {} at ports[{}]", theirs, other));
        }
    }
    [[nodiscard]] WorkerIndex worker_at(std::size_t port) const {
        return next_.ports[port].worker_written ? next_.settings.ports[port].worker
                                                : running_.settings.ports[place_of_[port]].worker;
    }
    [[nodiscard]] bool fits(std::size_t port, PortIndex place) const {
        const PortSettings& wants = next_.settings.ports[port];
        const PortSettings& is = running_.settings.ports[place];
        return (free_ & ~taken_ & only(place)) != 0 && wants.format == is.format &&
               (!next_.ports[port].worker_written || wants.worker == is.worker) &&
               lanes_of(next_, port) == lanes_of(running_, place);
    }
    void take(std::size_t port, PortIndex place) {
        place_of_[port] = place;
        taken_ |= only(place);
    }

    const Configuration& next_;
    const Configuration& running_;
    const PortSet free_;
    PortSet taken_ = 0;
    NewPlaces place_of_;
};

}  // namespace

void check_places(const Value& file, Report& report) {
    const Value& places = file["hotplug"]["ports"];
    const auto count = static_cast<int64_t>(file["ports"].items.size());
    if (!places.written || !places.valid || places.number >= count) return;
    report.add(places.at, places.path, fmt::format("there are {} ports already", count),
               fmt::format("write {} or more", count));
}

void add_vacant_places(Configuration& configuration) {
    Settings& settings = configuration.settings;
    const Bytes longest = longest_frame(settings);
    while (configuration.ports.size() < configuration.hotplug.ports) {
        PortSettings laid_out;
        laid_out.worker = static_cast<WorkerIndex>(configuration.ports.size() % settings.workers);
        settings.ports.push_back(vacant_settings(laid_out, longest));
        configuration.ports.push_back(vacant_port());
    }
}

PortSet vacant_places(const Configuration& configuration) {
    PortSet vacant = 0;
    for (PortIndex place = 0; place < configuration.ports.size(); ++place) {
        if (configuration.ports[place].vacant) vacant |= only(place);
    }
    return vacant;
}

std::vector<Fault> take_places(Configuration& next, const Configuration& running, PortSet free) {
    Placing placing(next, running, free);
    if (auto faults = placing.find(); !faults.empty()) return faults;
    const NewPlaces& to = placing.new_places();
    const Bytes longest = longest_frame(next.settings);
    std::vector<PortConfig> ports(running.ports.size(), vacant_port());
    std::vector<PortSettings> settings;
    for (const PortSettings& laid_out : running.settings.ports) {
        settings.push_back(vacant_settings(laid_out, longest));
    }
    for (std::size_t port = 0; port < next.ports.size(); ++port) {
        PortSettings& own = next.settings.ports[port];
        if (!next.ports[port].worker_written) own.worker = settings[to[port]].worker;
        settings[to[port]] = own;
        ports[to[port]] = std::move(next.ports[port]);
    }
    next.ports = std::move(ports);
    next.settings.ports = std::move(settings);
    move_references(next, to);
    // Further lanes are slots too. The lanes of a removed port stay with its slot.
    std::vector<LaneSettings> away;
    for (const LaneSettings& lane : running.settings.lanes) {
        if (next.ports[lane.port].vacant) away.push_back(lane);
    }
    std::ranges::copy(away, std::back_inserter(next.settings.lanes));
    const auto rank = [&](const LaneSettings& lane) {
        return std::ranges::find_if(running.settings.lanes,
                                    [&](const LaneSettings& was) {
                                        return was.port == lane.port && was.worker == lane.worker;
                                    }) -
               running.settings.lanes.begin();
    };
    std::ranges::stable_sort(next.settings.lanes, {}, rank);
    return {};
}

}  // namespace sluice::config
