#include "tools/sluice/ready.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>

#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/fault_json.h"

namespace sluice::cli {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto between_looks = 200ms;

std::string text_of(const Json& port, const char* key) { return port.at(key).get<std::string>(); }

std::string without_link(const Json& port) {
    const std::string name = config::escaped(text_of(port, "name"));
    if (text_of(port, "admin_status") != "up") {
        return fmt::format("{}: `admin_status` is down", name);
    }
    return fmt::format("{}: the link is {}", name, config::escaped(text_of(port, "link")));
}

struct Found {
    std::vector<std::string> faults;
    bool in_motion = false;  // whether frames move, so that the ledger is not exact
};

tl::expected<Found, Failure> look(const ReadyOptions& options) {
    auto client = Client::connect(options.socket);
    if (!client) return tl::unexpected(client.error());
    const auto ports = client->ask({{"show", "ports"}});
    if (!ports) return tl::unexpected(ports.error());
    const auto ledger = client->ask({{"show", "ledger"}});
    if (!ledger) return tl::unexpected(ledger.error());
    return Found{faults_of(*ports, *ledger, options.ports), ledger->at("in_motion") == true};
}

}  // namespace

std::vector<std::string> faults_of(const Json& ports, const Json& ledger,
                                   const std::vector<std::string>& of) {
    std::vector<std::string> faults;
    for (const std::string& name : of) {
        if (std::ranges::none_of(ports, [&](const Json& port) { return port.at("name") == name; }))
            faults.push_back(fmt::format("{}: there is no such port", config::escaped(name)));
    }
    for (const Json& port : ports) {
        const bool is_meant = of.empty() ? text_of(port, "admin_status") == "up"
                                         : std::ranges::find(of, text_of(port, "name")) != of.end();
        if (is_meant && text_of(port, "link") != "up") faults.push_back(without_link(port));
    }
    // `balanced` is null while frames move: another try may get a value.
    if (ledger.at("balanced") == false) {
        faults.emplace_back("the ledger does not balance; `sluice show ledger` has its terms");
    }
    return faults;
}

int ready(const ReadyOptions& options) {
    const auto until = steady_clock::now() + std::chrono::duration<double>(options.wait);
    for (;;) {
        const auto found = look(options);
        if (found && options.json && (found->faults.empty() || steady_clock::now() >= until)) {
            return print_outcome({{"in_motion", found->in_motion}}, faults_json(found->faults, ""),
                                 found->faults.empty() ? 0 : 1);
        }
        if (found && found->faults.empty()) {
            const std::string_view motion =
                found->in_motion ? ", in motion: the ledger is settled once frames stop" : "";
            fmt::print("ready{}\n", motion);
            return 0;
        }
        if (steady_clock::now() >= until) {
            return print_failure({1, found ? found->faults : found.error().lines}, options.json);
        }
        std::this_thread::sleep_for(between_looks);
    }
}

}  // namespace sluice::cli
