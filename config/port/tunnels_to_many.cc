#include "config/port/tunnels_to_many.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "config/port/encapsulations.h"

namespace sluice::config {

namespace {

class ToManyRules {
  public:
    ToManyRules(const Value& file, Report& report) : file_(file), report_(report) {}

    void check() {
        for (const Value& port : file_["ports"].items) {
            if (!port["device"].valid) continue;
            if (is_tunnel_to_many(port)) {
                has_vteps(port);
                is_alone_in_its_network(port);
                names_no_single_peer(port);
                is_no_end_of_one_station(port);
            } else if (!port["remotes"].items.empty() && encapsulation_of(port)) {
                fault(port["remotes"], "is of a tunnel that names its other end in `device`",
                      "leave it out, or write device: \"vxlan:PORT/VNI\"");
            }
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    // 0: it has none.
    static uint32_t vni_of_port(const Value& port) {
        const auto encapsulation = encapsulation_of(port);
        return encapsulation ? vni_of(*encapsulation).value_or(0) : 0;
    }

    void has_vteps(const Value& port) {
        const uint32_t vni = vni_of_port(port);
        bool by_daemon = false;
        for (const Value& of : file_["evpn"]["vnis"].items) by_daemon |= of["vni"].number == vni;
        const Value& remotes = port["remotes"];
        if (!remotes.valid) return;
        if (by_daemon && !remotes.items.empty()) {
            fault(remotes, fmt::format("names VTEPs of VNI {}, which evpn.vnis has", vni),
                  "leave it out: the routing daemon names them");
        } else if (!by_daemon && remotes.items.empty()) {
            fault(port["device"], "leads nowhere",
                  fmt::format("write remotes: [ADDRESS, ...], or VNI {} under evpn.vnis", vni));
        }
    }

    // Two ports of a network would send what comes by the one on by the other.
    void is_alone_in_its_network(const Value& port) {
        for (const Value& other : file_["ports"].items) {
            if (&other == &port || !other["device"].valid) continue;
            const uint32_t vni = vni_of_port(port);
            if (vni_of_port(other) != vni) continue;
            if (tunnel_device(other)->underlay != tunnel_device(port)->underlay) continue;
            fault(other["device"],
                  fmt::format("is of VNI {}, of which {} leads to all VTEPs", vni, port.path),
                  "leave it out, or write a port for each VTEP and none for all");
        }
    }

    void names_no_single_peer(const Value& port) {
        const Value& lossless = port["lossless"];
        if (!lossless.items.empty()) {
            const bool by_defaults = lossless.is_of_defaults();
            fault(by_defaults ? port["device"] : lossless,
                  by_defaults ? "is lossless by `defaults`, and leads to many VTEPs: a pause is "
                                "between two ends"
                              : "is of a tunnel to many VTEPs: a pause is between two ends",
                  fmt::format("write lossless: [] at {}, or a port for each VTEP "
                              "(vxlan:PORT/ADDRESS/VNI)",
                              port.path));
        }
        if (port["pause_relay"].written) {
            fault(port["pause_relay"], "is of a tunnel to many VTEPs: a relay has one other end",
                  "leave it out, or write a port for that VTEP (vxlan:PORT/ADDRESS/VNI)");
        }
        if (port["next_hop"].written) {
            fault(port["next_hop"], "is of a tunnel to many VTEPs, each with its own",
                  "leave it out, or write underlay.gateway at the port below");
        }
        const Value& dcbx = port["dcbx"];
        if (dcbx.written && !dcbx.is_of_defaults() && dcbx["mode"].text != "disabled") {
            fault(dcbx, "is of a tunnel to many VTEPs: DCBX is between two ends",
                  "leave it out, or write mode: disabled");
        }
    }

    void is_no_end_of_one_station(const Value& port) {
        const std::string& name = port["name"].text;
        for (const Value& entry : file_["fdb"]["static"].items) {
            if (entry["port"].text != name) continue;
            fault(entry["port"],
                  fmt::format("{} leads to many VTEPs, and no entry says which", name),
                  "leave the entry out, or write a port for that VTEP");
        }
        for (const Value& mirror : file_["mirrors"].items) {
            if (mirror["to"].text != name) continue;
            fault(mirror["to"], fmt::format("{} leads to many VTEPs", name),
                  "send the copies to a tunnel with one other end");
        }
        for (const Value& aggregation : file_["aggregations"].items) {
            for (const Value& member : aggregation["ports"].items) {
                if (member.text != name) continue;
                fault(member, "is a tunnel to many VTEPs", "leave it out");
            }
        }
    }

    const Value& file_;
    Report& report_;
};

}  // namespace

void check_tunnels_to_many(const Value& file, Report& report) { ToManyRules(file, report).check(); }

}  // namespace sluice::config
