#include "tools/sluice/trace/trace.h"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/json_text.h"
#include "tools/sluice/trace/tree.h"

namespace sluice::cli {

Trace::Trace(CLI::App& app)
    : command_(app.add_subcommand("trace", "Follow single frames through a running switch")),
      socket_(default_socket) {
    CLI::App& command = *command_;
    command.add_option("--port", port_, "Frames received by this port")->type_name("PORT");
    CLI::Option* of_destination =
        command.add_option("--dst", destination_, "To this address")->type_name("MAC");
    CLI::Option* of_source =
        command.add_option("--src", source_, "From this address")->type_name("MAC");
    CLI::Option* of_vlan = command.add_option("--vlan", vlan_, "Bridged in this VLAN")
                               ->type_name("V")
                               ->check(CLI::Range(1, 4094));
    CLI::Option* of_priority = command.add_option("--priority", priority_, "Given this priority")
                                   ->type_name("P")
                                   ->check(CLI::Range(0, 7));
    CLI::Option* count = command.add_option("-n", frames_, "Number of frames")
                             ->type_name("N")
                             ->check(CLI::Range(1, 64))
                             ->capture_default_str();
    using Units = std::map<std::string, unsigned>;
    CLI::Option* limit =
        command
            .add_option(
                "--for", seconds_,
                "Wait at most this long, default 10s; frames still waiting then are shown as well")
            ->transform(CLI::AsNumberWithUnit(Units{{"s", 1}, {"m", 60}},
                                              CLI::AsNumberWithUnit::CASE_SENSITIVE, ""))
            ->check(CLI::Range(1U, 60U, "1s to 60s"))
            ->option_text("TIME");
    CLI::Option* frame =
        command
            .add_option("--what-if", frame_,
                        "Trace a described frame, as a packet tracer does; none is sent")
            ->type_name("WORDS")
            ->needs("--port");
    for (CLI::Option* of_frames : {of_destination, of_source, of_vlan, of_priority, count, limit}) {
        frame->excludes(of_frames);
    }
    command.add_flag("--json", json_, "For programs");
    command.add_option("--socket", socket_, "Where sluiced answers")
        ->type_name("PATH")
        ->envname("SLUICE_SOCKET")
        ->capture_default_str();
    command.footer(
        "Prints for each of the next matching frames: how it was parsed and classified, where it\n"
        "was sent and why, how full its queue was, how long it waited there and in egress, how\n"
        "long its output was paused in that time, and whether it was sent or dropped. Times are\n"
        "exact to one poll.\n"
        "\n"
        "  sluice trace --port host1 -n 3\n"
        "  sluice trace --dst 02:00:00:00:00:02 --priority 3 --for 30s --json\n"
        "  sluice trace --what-if \"eth src 02:00:00:00:00:01 dst 02:00:00:00:00:02 vlan 10 pcp "
        "3\" "
        "\\\n"
        "      --port host1\n"
        "\n"
        "Fields of a frame, after `eth`: src, dst, vlan, pcp, service, type, dscp, udp, tcp, "
        "length.\n"
        "Exit status: 1 if no matching frame was received.");
}

int Trace::run() const { return frame_.empty() ? trace() : what_if(); }

int Trace::trace() const {
    auto client = Client::connect(socket_);
    if (!client) return print_failure(client.error());
    Json what = {{"frames", frames_}, {"for_s", seconds_}};
    if (!port_.empty()) what["port"] = port_;
    if (!destination_.empty()) what["dst"] = destination_;
    if (!source_.empty()) what["src"] = source_;
    if (vlan_) what["vlan"] = *vlan_;
    if (priority_) what["priority"] = *priority_;
    client->be_patient_for(std::chrono::seconds(seconds_));
    const auto traced = client->ask({{"trace", std::move(what)}});
    if (!traced) return print_failure(traced.error());
    fmt::print("{}", json_ ? json_text(*traced, 2) + '\n' : render_trace(*traced));
    return traced->at("frames").empty() ? 1 : 0;
}

int Trace::what_if() const {
    auto client = Client::connect(socket_);
    if (!client) return print_failure(client.error());
    const auto answer = client->ask({{"what_if", {{"frame", frame_}, {"port", port_}}}});
    if (!answer) return print_failure(answer.error());
    fmt::print("{}", json_ ? json_text(*answer, 2) + '\n' : render_what_if(*answer));
    return 0;
}

}  // namespace sluice::cli
