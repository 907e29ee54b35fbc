#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "config/loader.h"
#include "config/yaml/values.h"
#include "tools/sim/scenario/credit_priorities.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/flow_control.h"
#include "tools/sim/scenario/flows_reader.h"
#include "tools/sim/scenario/host_names.h"
#include "tools/sim/scenario/layout.h"
#include "tools/sim/scenario/layout_reader.h"
#include "tools/sim/scenario/memory.h"
#include "tools/sim/scenario/peers_reader.h"
#include "tools/sim/scenario/priorities.h"
#include "tools/sim/scenario/receive_buffers.h"
#include "tools/sim/scenario/relays_reader.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/scenario_keys.h"
#include "tools/sim/scenario/switch_settings.h"
#include "tools/sim/scenario/variants.h"

namespace sluice::sim {

namespace {

class ScenarioReader {
  public:
    ScenarioReader(config::Report& report, const config::Node& document)
        : report_(report), file_(report, &document, "", {1, 1}, keys::file) {}

    NetworkScenario read() {
        Fields run = file_.map("run", keys::run);
        read_run(run);
        LayoutReader places(file_);
        Layout layout = places.read();
        const HostNames names(layout.hosts, places.hosts_known());
        read_peers(file_, names, layout.hosts);
        make_switches(layout, places.cable());
        scenario_.hosts = std::move(layout.hosts);
        scenario_.links = std::move(layout.links);
        if (report_.clean()) use_format();
        if (report_.clean()) check_csig();
        if (report_.clean() && four_priorities_) use_four_priorities(scenario_, file_);
        check_buffers();
        if (report_.clean()) use_flow_control(scenario_, file_);
        if (report_.clean()) check_credit_priorities(scenario_, file_);
        if (report_.clean()) use_receive_buffers(scenario_, file_);
        if (report_.clean()) read_relays(layout.switches, scenario_.switches);
        scenario_.set_seed(scenario_.run.seed);
        // Paths can be found only if all cables are connected correctly.
        std::vector<std::vector<int>> far;
        if (report_.clean()) far = find_ways(scenario_, ways_);
        const std::filesystem::path folder = std::filesystem::path(report_.file()).parent_path();
        scenario_.flows =
            FlowsReader(file_, names, scenario_, far, folder.string(), of_traces).read();
        if (report_.clean()) check_memory(run);
        return std::move(scenario_);
    }

    // Faults in trace files.
    std::vector<config::Fault> of_traces;

  private:
    void read_run(Fields& run) {
        RunSettings& settings = scenario_.run;
        settings = {.time = Nanos(run.number("time")),
                    .warmup = Nanos(run.number("warmup")),
                    .drain = Nanos(run.number("drain")),
                    .seed = static_cast<uint64_t>(run.number("seed")),
                    .sample = Nanos(run.number("sample")),
                    .memory = Bytes(run.number("memory"))};
        if (settings.warmup >= settings.time) {
            run.fault("warmup", "leaves nothing to measure", "write less than run.time");
        }
        check_samples(run);
    }

    void check_samples(Fields& run) {
        const RunSettings& settings = scenario_.run;
        if (settings.sample.count() == 0) return;
        const int64_t samples = settings.time.count() / settings.sample.count();
        if (samples >= 1 && samples <= most_samples) return;
        run.fault("sample", fmt::format("makes {} samples", samples),
                  fmt::format("write a time that fits 1 to {} times into run.time", most_samples));
    }

    void make_switches(Layout& layout, const Cable& spare) {
        Fields for_all = file_.map("switch", keys::of_switch);
        ways_ = static_cast<Ways>(for_all.number("ways"));
        const auto count = static_cast<std::size_t>(for_all.number("priorities"));
        four_priorities_ = keys::priority_counts[count] == "4";
        for (std::size_t n = 0; n < layout.switches.size(); ++n) {
            SwitchDraft& draft = layout.switches[n];
            if (draft.ports.empty()) draft.ports.resize(1);
            auto spec = settings_of(draft, for_all, spare, four_priorities_, report_);
            if (!spec) {
                spec = SwitchSpec{draft.name, {}, {}, {}};
                spec->settings.ports.resize(draft.ports.size());
            }
            for (std::size_t port = 0; port < spec->settings.ports.size(); ++port) {
                spec->settings.ports[port].address = {0x0200'0200'0000 + n * max_ports + port};
            }
            scenario_.switches.push_back(std::move(*spec));
        }
    }

    // Sets the format of the network. All ports must have one format: ports of different formats do
    // not bridge frames to each other, and a host has only one format.
    void use_format() {
        if (scenario_.switches.empty()) return;
        scenario_.format = scenario_.switches.front().settings.ports.front().format;
        for (const SwitchSpec& spec : scenario_.switches) {
            for (std::size_t port = 0; port < spec.ports.size(); ++port) {
                if (spec.settings.ports[port].format == scenario_.format) continue;
                file_.fault(
                    file_.has("switch") ? "switch" : "switches",
                    fmt::format("{} of {} has another format than {} of {}", spec.ports[port],
                                spec.name, scenario_.switches.front().ports.front(),
                                scenario_.switches.front().name),
                    "write one format for all ports");
                return;
            }
        }
    }

    // Checks that a host's switch knows its CSIG tags: otherwise the switch finds no IP header
    // after the tag.
    void check_csig() {
        for (const HostSpec& host : scenario_.hosts) {
            if (host.rate_control != RateLimit::csig) continue;
            const CsigTags tags(scenario_.switches[host.at.node].settings.csig);
            if (tags.settings(host.csig.form).tpid == 0) {
                const bool compact = host.csig.form == CsigForm::compact;
                return file_.fault(
                    "peers",
                    fmt::format("{} adds {} CSIG tags, which its switch does not know", host.name,
                                compact ? "compact" : "wide"),
                    fmt::format("write switch.csig.{}.tpid, and csig: {{mode: "
                                "update}} in switch.defaults",
                                compact ? "compact" : "wide"));
            }
            const auto& ports = scenario_.switches[host.at.node].settings.ports;
            const bool updates = std::ranges::any_of(
                ports, [](const PortSettings& port) { return port.csig.mode == CsigMode::update; });
            if (!updates) {
                return file_.fault(
                    "peers",
                    fmt::format("{} uses CSIG signals, but no port of its switch updates them",
                                host.name),
                    "write csig: {mode: update} in switch.defaults");
            }
            if (scenario_.format.family == FormatFamily::ethernet) continue;
            return file_.fault("peers", "add CSIG tags, which this format does not support",
                               "write another rate_control, or ports of format standard");
        }
    }

    // Limits the number of frames that may wait, since the dataplane allocates an entry for each at
    // the start.
    void check_buffers() {
        int64_t frames = 0;
        for (const SwitchSpec& spec : scenario_.switches) {
            frames += static_cast<int64_t>(most_frames_in_buffer(spec.settings));
        }
        if (frames <= most_waiting) return;
        file_.fault(file_.has("switch") ? "switch" : "switches",
                    fmt::format("buffers of all switches hold {} Mi of the shortest frames",
                                frames / (1024 * 1024)),
                    fmt::format("make buffer.size smaller or buffer.cell larger, for at most {} Mi",
                                most_waiting / (1024 * 1024)));
    }

    void check_memory(Fields& run) {
        const Bytes needed = memory_at_start(scenario_);
        if (needed <= scenario_.run.memory) return;
        constexpr int64_t mebibyte = 1024 * 1024;
        const Bytes whole(needed.count() / mebibyte * mebibyte + mebibyte);
        run.fault("memory",
                  fmt::format("of {} is less than the {} that the scenario takes before its first "
                              "frame",
                              config::format_size(scenario_.run.memory.count()),
                              config::format_size(whole.count())),
                  "write more, if the machine has it, or smaller buffers, or fewer switches, hosts "
                  "or flows");
    }

    config::Report& report_;
    Fields file_;
    NetworkScenario scenario_;
    Ways ways_ = Ways::receiver;
    bool four_priorities_ = false;
};

}  // namespace

tl::expected<NetworkScenario, std::vector<config::Fault>> read_scenario(
    std::string_view text, std::string file_name, std::span<const Override> overrides) {
    config::Report report(std::move(file_name));
    auto document = config::read_document(text, report);
    if (!document) return tl::unexpected(report.take());
    // The override that chooses the variant is applied before all others.
    const auto apply_those = [&](bool choosing) {
        for (std::size_t n = 0; n < overrides.size(); ++n) {
            if ((overrides[n].path == "variant") != choosing) continue;
            apply(*document, overrides[n], place_of_override(n + 1), report);
        }
    };
    apply_those(true);
    use_variant(*document, report);
    apply_those(false);
    ScenarioReader reader(report, *document);
    NetworkScenario scenario = reader.read();
    std::vector<config::Fault> faults = report.take();
    std::ranges::move(reader.of_traces, std::back_inserter(faults));
    if (!faults.empty()) return tl::unexpected(std::move(faults));
    return scenario;
}

tl::expected<std::string, std::vector<config::Fault>> scenario_text(const std::string& path) {
    return config::text_of(path, config::FileKind::any);
}

}  // namespace sluice::sim
