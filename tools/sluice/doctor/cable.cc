#include "tools/sluice/doctor/cable.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/json_text.h"

namespace sluice::cli {

namespace {

// Prints the result of one kind of frame in one direction.
void print(const Json& direction, std::string_view what, std::string_view sent,
           std::string_view arrived) {
    const auto out = direction.at(sent).get<uint64_t>();
    const auto in = direction.at(arrived).get<uint64_t>();
    fmt::print("{}  {} to {}: {} of {} {} arrived\n", in > 0 ? "good" : "bad ",
               config::escaped(direction.at("from").get<std::string>()),
               config::escaped(direction.at("to").get<std::string>()), in, out, what);
}

// Prints what to look at if frames did not arrive.
void print_hint(bool pauses, bool lldp) {
    if (!pauses && !lldp) {
        fmt::print("      no frame passes: are the two cabled to each other?\n");
    } else if (!pauses) {
        fmt::print(
            "      the cable is there, but pauses do not pass: the sender's or the receiver's NIC "
            "keeps them (pfc_tx_why, pfc_rx_why of `sluice show ports --json`)\n");
    } else if (!lldp) {
        fmt::print(
            "      LLDP does not pass: lldp_rx_why of `sluice show ports --json` has more\n");
    }
}

}  // namespace

int try_cable(const DoctorOptions& options) {
    auto client =
        Client::connect(options.socket.empty() ? std::string(default_socket) : options.socket);
    if (!client) return print_failure(client.error());
    const auto result = client->ask({{"try_cable", {options.cable[0], options.cable[1]}}});
    if (!result) return print_failure(result.error());
    bool all = true;
    const bool tries_pauses = result->at("pauses_tried").get<bool>();
    if (options.json) fmt::print("{}\n", json_text(*result, 2));
    for (const Json& direction : result->at("directions")) {
        const bool pauses = !tries_pauses || direction.at("pauses_arrived") != 0;
        const bool lldp = direction.at("lldp_arrived") != 0;
        all = all && pauses && lldp;
        if (options.json) continue;
        if (tries_pauses) print(direction, "pauses", "pauses_sent", "pauses_arrived");
        print(direction, "LLDP frames", "lldp_sent", "lldp_arrived");
        print_hint(tries_pauses ? pauses : lldp, lldp);
    }
    if (!options.json) {
        if (!tries_pauses) {
            fmt::print(
                "      pauses are not tested: a NIC that pauses by itself (pfc.by: nic) passes no "
                "pause frames to software; `sluice show pfc` shows those it received and sent\n");
        }
        for (const Json& port : result->at("ports")) {
            fmt::print("      {}: pfc_rx {}, pfc_tx {}, lldp_rx {}\n",
                       config::escaped(port.at("name").get<std::string>()),
                       config::escaped(port.at("pfc_rx").get<std::string>()),
                       config::escaped(port.at("pfc_tx").get<std::string>()),
                       config::escaped(port.at("lldp_rx").get<std::string>()));
        }
    }
    return all ? 0 : 1;
}

}  // namespace sluice::cli
