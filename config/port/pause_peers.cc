#include "config/port/pause_peers.h"

#include <fmt/format.h>

#include <string>

namespace sluice::config {

namespace {

// Returns the reason why a port receives no LLDP and cannot know its neighbour; empty: it receives
// LLDP.
std::string why_no_lldp(const Value& file, const Value& port) {
    const Value& enabled = file["lldp"]["enabled"];
    const Value& mode = port["lldp"]["mode"];
    if (enabled.valid && enabled.number == 0) return "lldp.enabled: false";
    if (mode.valid && mode.text != "rx" && mode.text != "both") return "lldp.mode: " + mode.text;
    return {};
}

}  // namespace

void check_pause_peers(const Value& file, Report& report) {
    for (const Value& port : file["ports"].items) {
        const Value& strict = port["pfc"]["strict"];
        if (!strict.valid || strict.number == 0) continue;
        const std::string reason = why_no_lldp(file, port);
        if (reason.empty()) continue;
        report.add(strict.at, strict.path,
                   fmt::format("the port does not learn its neighbour by LLDP, with {}", reason),
                   "write false and pfc.peer, or let the port receive LLDP");
    }
}

PausePeers pause_peers(const Value& pfc) {
    PausePeers peers;
    for (const Value& station : pfc["peer"].items) {
        peers.name({static_cast<uint64_t>(station.number)});
    }
    if (pfc["strict"].number != 0) peers.obey_named_alone();
    return peers;
}

}  // namespace sluice::config
