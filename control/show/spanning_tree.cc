#include "control/show/noun_snapshots.h"

#include <string_view>

#include "control/rstp/manager.h"

namespace sluice::control {

namespace {

// Returns the guard that keeps the port from its role; empty: none does.
std::string_view guard_of(const rstp::Bridge& bridge, const rstp::Port& port) {
    if (port.guarded) return "bpdu_guard";
    return bridge.is_kept_from_root(port) ? "root_guard" : "";
}

Json row_of(const View& view, const rstp::Bridge& bridge, const rstp::Port& port) {
    const rstp::PriorityVector& said = port.priority;
    const bool knows = port.enabled();
    const auto if_known = [&](Json value) { return knows ? std::move(value) : Json(); };
    return {
        {"port", view.rstp->name(port.index)},
        {"members", names_of(view, view.rstp->members(port.index))},
        {"role", name_of(port.role)},
        {"state", name_of(port.state())},
        {"cost", port.settings.cost},
        {"priority", port.id.priority()},
        {"number", port.id.number()},
        {"edge", port.oper_edge},
        {"protocol", port.send_rstp ? "rstp" : "stp"},
        {"guard", guard_of(bridge, port)},
        {"designated_bridge", if_known(to_text(said.bridge.address()))},
        {"designated_bridge_priority", if_known(said.bridge.priority())},
        {"designated_cost", if_known(said.cost)},
        {"designated_port", if_known(said.port.number())},
        {"designated_port_priority", if_known(said.port.priority())},
        {"bpdus_in", port.counts.bpdus_in},
        {"bpdus_out", port.counts.bpdus_out},
        {"topology_changes_in", port.counts.topology_changes_in},
        {"damaged_in", port.counts.damaged_in},
        {"filtered_in", port.counts.filtered_in},
    };
}

}  // namespace

Json spanning_tree_snapshot(const View& view, bool) {
    Json shown{{"mode", "off"}, {"ports", Json::array()}};
    for (const char* key : {"address", "priority", "is_root", "root_address", "root_priority",
                            "root_cost", "root_port", "hello_ns", "max_age_ns", "forward_delay_ns",
                            "topology_changes", "last_topology_change_at"}) {
        shown[key] = nullptr;
    }
    if (view.rstp == nullptr || !view.rstp->is_on()) return shown;
    const rstp::Bridge& bridge = *view.rstp->bridge();
    shown["mode"] = bridge.settings().rapid ? "rstp" : "stp";
    shown["address"] = to_text(bridge.id().address());
    shown["priority"] = bridge.id().priority();
    shown["is_root"] = bridge.is_root();
    shown["root_address"] = to_text(bridge.root().address());
    shown["root_priority"] = bridge.root().priority();
    shown["root_cost"] = bridge.root_cost();
    if (const auto port = bridge.root_port()) shown["root_port"] = view.rstp->name(*port);
    shown["hello_ns"] = bridge.root_times().hello.count();
    shown["max_age_ns"] = bridge.root_times().max_age.count();
    shown["forward_delay_ns"] = bridge.root_times().forward_delay.count();
    shown["topology_changes"] = bridge.topology_changes();
    if (const auto last = bridge.last_topology_change()) {
        shown["last_topology_change_at"] = time_of(view, *last);
    }
    for (const rstp::Port& port : bridge.ports()) {
        shown["ports"].push_back(row_of(view, bridge, port));
    }
    return shown;
}

}  // namespace sluice::control
