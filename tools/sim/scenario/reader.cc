#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "config/loader.h"
#include "dataplane/buffer/headroom.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/layout.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/scenario_keys.h"
#include "tools/sim/scenario/switch_settings.h"

namespace sluice::sim {

using config::Node;

namespace {

using Names = std::map<std::string, std::size_t, std::less<>>;

class ScenarioReader {
  public:
    ScenarioReader(config::Report& report, const Node& document)
        : report_(report), file_(report, &document, "", {1, 1}, keys::file) {}

    NetworkScenario read() {
        read_run();
        Fields cable = file_.map("cable", keys::cable);
        cable_ = cable_of(cable, {});
        lay_out();
        read_peers();
        make_switches();
        // Of what is plugged in wrongly no way can be told.
        scenario_.set_seed(scenario_.run.seed);
        read_flows(report_.clean() ? find_ways(scenario_) : std::vector<std::vector<int>>{});
        return std::move(scenario_);
    }

  private:
    void read_run() {
        Fields run = file_.map("run", keys::run);
        RunSettings& settings = scenario_.run;
        settings = {.time = Nanos(run.number("time")),
                    .warmup = Nanos(run.number("warmup")),
                    .drain = Nanos(run.number("drain")),
                    .seed = static_cast<uint64_t>(run.number("seed"))};
        if (settings.warmup >= settings.time) {
            run.fault("warmup", "leaves nothing to measure", "write less than run.time");
        }
    }

    // What is not written is that of `otherwise`.
    Cable cable_of(Fields& fields, std::optional<Cable> otherwise) {
        Cable cable = otherwise.value_or(Cable{});
        if (!otherwise || fields.has("speed")) cable.speed = BitsPerSecond(fields.number("speed"));
        if (!otherwise || fields.has("length")) cable.millimetres = fields.number("length");
        if (8'000'000'000'000 % cable.speed.count() != 0) {
            fields.fault("speed", "an octet takes no whole number of picoseconds at it",
                         "write one such as 1G, 10G, 25G, 40G, 50G, 100G, 200G, 400G or 800G");
        }
        return cable;
    }

    // --- switches, hosts, links -----------------------------------------------------------------
    void lay_out() {
        Fields topology = file_.map("topology", keys::topology);
        hosts_known_ = topology.written() || !file_.has("topology");
        if (topology.written()) {
            if (topology.node()->keys.size() != 1) {
                file_.fault("topology", "is not one of them",
                            "write star, chain, ring or leaf_spine");
                hosts_known_ = false;
                return;
            }
            for (const char* key : {"switches", "hosts", "links"}) {
                if (file_.has(key)) {
                    file_.fault(key, "stands beside a topology", "keep one of the two");
                }
            }
            hosts_known_ = topology.clean() && layout_.make_topology(topology, cable_);
        } else {
            read_switches();
            read_hosts();
            read_links();
        }
        for (std::size_t n = 0; n < layout_.hosts.size(); ++n) {
            hosts_.emplace(layout_.hosts[n].name, n);
        }
    }

    void read_switches() {
        if (!file_.has("switches") && file_.written() && !file_.has("topology")) {
            file_.fault("switches", "is missing", "write a list of switches, or a topology");
            hosts_known_ = false;
        }
        for (Fields& fields : file_.maps("switches", keys::switches)) {
            SwitchDraft draft{.name = fields.text("name"), .own = fields};
            if (!nodes_.emplace(draft.name, layout_.switches.size()).second) {
                fields.fault("name", fmt::format("{} is taken", draft.name), "choose another");
            }
            if (const Node* ports = fields.find("ports")) count_ports(fields, *ports, draft);
            layout_.switches.push_back(std::move(draft));
        }
    }
    void count_ports(Fields& fields, const Node& ports, SwitchDraft& draft) {
        std::size_t count = ports.items.size();
        if (ports.kind == Node::Kind::scalar) {
            char* end = nullptr;
            const unsigned long number = std::strtoul(ports.text.c_str(), &end, 10);
            count = *end == '\0' && number <= max_ports ? number : 0;
        }
        if (count >= 1 && count <= max_ports && ports.kind != Node::Kind::map) {
            draft.counted = true;
            draft.ports.resize(count);
        } else if (ports.kind != Node::Kind::unusable) {
            fields.fault("ports", "is no number of ports, and no list of them",
                         fmt::format("write 1 to {}, or a list of ports", max_ports));
        }
    }

    std::optional<std::size_t> node_named(Fields& fields, std::string_view key, const Node& word) {
        const auto found = nodes_.find(word.text);
        if (found != nodes_.end()) return found->second;
        fields.fault_at(word, key,
                        fmt::format("no switch is called {}", config::in_quotes(word.text)),
                        "name one of switches");
        return std::nullopt;
    }
    // Where the cable is plugged in at the switch; port 0 where it cannot be.
    Place plug(Fields& fields, std::string_view key, std::size_t node, const Cable& cable,
               std::optional<PortIndex> wanted) {
        SwitchDraft& there = layout_.switches[node];
        const auto port = there.plug(cable, wanted);
        if (!port && wanted) {
            fields.fault(key,
                         fmt::format("port {} of {} is taken, or is none", *wanted, there.name),
                         "choose another");
        } else if (!port) {
            fields.fault(key, fmt::format("{} has no free port", there.name),
                         fmt::format("give it more, {} at the most", max_ports));
        }
        return {node, port.value_or(0)};
    }

    void read_hosts() {
        std::vector<Fields> all = file_.maps("hosts", keys::hosts);
        layout_.hosts.resize(all.size());
        Names names;
        // Those that choose a port do so before the others take one.
        for (const bool choosing : {true, false}) {
            for (std::size_t n = 0; n < all.size(); ++n) {
                Fields& fields = all[n];
                if (fields.has("port") != choosing) continue;
                HostSpec& host = layout_.hosts[n];
                host.name = fields.text("name");
                host.cable = cable_of(fields, cable_);
                if (!names.emplace(host.name, n).second) {
                    fields.fault("name", fmt::format("{} is taken", host.name), "choose another");
                }
                const Node* word = fields.find("switch");
                if (fields.text("switch").empty() || word == nullptr) continue;
                std::optional<PortIndex> port;
                if (choosing) port = static_cast<PortIndex>(fields.number("port"));
                if (const auto node = node_named(fields, "switch", *word)) {
                    host.at = plug(fields, choosing ? "port" : "switch", *node, host.cable, port);
                }
            }
        }
    }

    void read_links() {
        for (Fields& fields : file_.maps("links", keys::links)) {
            const std::vector<Node> ends = fields.words("between");
            const Cable cable = cable_of(fields, cable_);
            const bool one_way = fields.yes("one_way");
            if (ends.size() != 2) {
                if (fields.has("between")) {
                    fields.fault("between", "is not two switches", "write [one, another]");
                }
                continue;
            }
            const auto from = node_named(fields, "between", ends[0]);
            const auto to = node_named(fields, "between", ends[1]);
            if (!from || !to) continue;
            if (*from == *to) {
                fields.fault("between", "is one switch twice", "write [one, another]");
                continue;
            }
            const auto ports = ports_of(fields);
            layout_.links.push_back({plug(fields, "between", *from, cable, ports[0]),
                                     plug(fields, "between", *to, cable, ports[1]), cable,
                                     one_way});
        }
    }
    std::array<std::optional<PortIndex>, 2> ports_of(Fields& fields) {
        if (!fields.has("ports")) return {};
        const std::vector<Node> words = fields.words("ports");
        std::array<std::optional<PortIndex>, 2> ports;
        bool right = words.size() == 2;
        for (std::size_t n = 0; right && n < 2; ++n) {
            char* end = nullptr;
            const unsigned long number = std::strtoul(words[n].text.c_str(), &end, 10);
            right = !words[n].text.empty() && *end == '\0' && number < max_ports;
            ports[n] = static_cast<PortIndex>(number);
        }
        if (!right) {
            fields.fault("ports", "is not two ports",
                         fmt::format("write two of 0 to {}, as "
                                     "[1, 2]",
                                     max_ports - 1));
            return {};
        }
        return ports;
    }

    void make_switches() {
        const Fields for_all = file_.map("switch", keys::of_switch);
        for (std::size_t n = 0; n < layout_.switches.size(); ++n) {
            SwitchDraft& draft = layout_.switches[n];
            if (draft.ports.empty()) draft.ports.resize(1);
            auto spec = settings_of(draft, for_all, cable_, report_);
            if (!spec) {
                spec = SwitchSpec{draft.name, {}, {}};
                spec->settings.ports.resize(draft.ports.size());
            }
            for (std::size_t port = 0; port < spec->settings.ports.size(); ++port) {
                spec->settings.ports[port].address = {0x0200'0200'0000 + n * max_ports + port};
            }
            scenario_.switches.push_back(std::move(*spec));
        }
        check_memory();
        scenario_.hosts = std::move(layout_.hosts);
        scenario_.links = std::move(layout_.links);
    }

    // The dataplane keeps account of every frame that may wait, and takes the memory at start.
    void check_memory() {
        int64_t frames = 0;
        for (const SwitchSpec& spec : scenario_.switches) {
            const BufferSettings& buffer = spec.settings.buffer;
            frames += buffer.size.count() / std::max(buffer.cell, bare_frame).count();
        }
        if (frames <= most_waiting) return;
        file_.fault(file_.has("switch") ? "switch" : "switches",
                    fmt::format("buffers of all switches hold {} Mi of the shortest frames",
                                frames / (1024 * 1024)),
                    fmt::format("make buffer.size smaller or buffer.cell larger, for {} Mi at "
                                "the most",
                                most_waiting / (1024 * 1024)));
    }

    // --- who sends, and how they obey -----------------------------------------------------------
    std::vector<std::size_t> hosts_in(Fields& fields, std::string_view key) {
        std::vector<std::size_t> found;
        for (const Node& word : fields.words(key)) {
            if (word.text == "all") {
                for (std::size_t n = 0; n < hosts_.size(); ++n) found.push_back(n);
            } else if (const auto host = hosts_.find(word.text); host != hosts_.end()) {
                found.push_back(host->second);
            } else if (hosts_known_) {
                fields.fault_at(
                    word, key, fmt::format("no host is called {}", config::in_quotes(word.text)),
                    hosts_.empty()
                        ? "there are none"
                        : fmt::format("write all, or names such as {}", hosts_.begin()->first));
            }
        }
        std::ranges::sort(found);
        found.erase(std::ranges::unique(found).begin(), found.end());
        return found;
    }

    void read_peers() {
        for (HostSpec& host : layout_.hosts) host.response = hardware_response(host.cable.speed);
        for (Fields& fields : file_.maps("peers", keys::peers)) {
            Fields pauses = fields.map("pauses", keys::pauses);
            const bool obeys = fields.yes("obeys");
            const Nanos response(fields.number("response"));
            const Hold hold{static_cast<Priority>(pauses.number("priority")),
                            Nanos(pauses.number("at")), Nanos(pauses.number("for"))};
            for (const std::size_t n : hosts_in(fields, "hosts")) {
                HostSpec& host = layout_.hosts[n];
                if (fields.has("obeys")) host.obeys = obeys;
                if (fields.has("response")) host.response = response;
                if (pauses.written()) host.holds.push_back(hold);
            }
        }
    }

    void read_flows(const std::vector<std::vector<int>>& far) {
        if (file_.written() && !file_.has("flows")) {
            file_.fault("flows", "is missing", "write a list of flows, or nothing happens");
        }
        std::size_t pairs = 0;
        for (Fields& fields : file_.maps("flows", keys::flows)) {
            FlowSpec spec = flow_of(fields);
            pairs += spec.from.size() * spec.to.size();
            check_ways(fields, spec, far);
            scenario_.flows.push_back(std::move(spec));
        }
        if (pairs > most_pairs) {
            file_.fault("flows", fmt::format("are between {} pairs of hosts", pairs),
                        fmt::format("write {} at the most", most_pairs));
        }
    }
    FlowSpec flow_of(Fields& fields) {
        FlowSpec spec;
        spec.name = fields.has("name") ? fields.text("name")
                                       : fmt::format("flow{}", scenario_.flows.size());
        spec.from = hosts_in(fields, "from");
        spec.to = hosts_in(fields, "to");
        spec.flow.priority = static_cast<Priority>(fields.number("priority"));
        const int64_t size = fields.number("size");
        spec.flow.mix = {size, fields.has("size_to") ? fields.number("size_to") : size};
        if (spec.flow.mix.longest < size) {
            fields.fault("size_to", "is below size", "write sizes from the least to the most");
        }
        spec.flow.ecn = fields.yes("ecn");
        spec.pace.pace = static_cast<Pace>(fields.number("pattern"));
        if (fields.has("rate")) spec.pace.rate = BitsPerSecond(fields.number("rate"));
        const bool bursts = spec.pace.pace == Pace::bursts || spec.pace.pace == Pace::pulses;
        for (const char* key : {"on", "off"}) {
            if (fields.has(key) && !bursts) {
                fields.fault(key, "is of bursts and pulses alone", "write one of them as pattern");
            }
        }
        spec.pace.on = picos(Nanos(fields.number("on")));
        spec.pace.off = picos(Nanos(fields.number("off")));
        spec.pace.start = picos(Nanos(fields.number("start")));
        spec.pace.stop = picos(Nanos(fields.number("stop")));
        if (spec.pace.stop <= spec.pace.start) {
            fields.fault("stop", "is not after start", "write a later one, or none");
        }
        return spec;
    }
    // To each from each other.
    void check_ways(Fields& fields, const FlowSpec& spec,
                    const std::vector<std::vector<int>>& far) {
        bool somebody = !hosts_known_ || spec.from.empty() || spec.to.empty();
        for (const std::size_t from : spec.from) {
            for (const std::size_t to : spec.to) {
                somebody |= from != to;
                if (far.empty() || far[to][scenario_.hosts[from].at.node] >= 0) continue;
                fields.fault("to",
                             fmt::format("no way leads from {} to {}", scenario_.hosts[from].name,
                                         scenario_.hosts[to].name),
                             "write links between their switches");
                return;
            }
        }
        if (!somebody) fields.fault("to", "is who sends", "name another host");
    }

    config::Report& report_;
    Fields file_;
    Cable cable_;
    Layout layout_;
    Names nodes_;
    Names hosts_;
    bool hosts_known_ = true;  // else what names one cannot be judged
    NetworkScenario scenario_;
};

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

tl::expected<NetworkScenario, std::vector<config::Fault>> read_scenario(std::string_view text,
                                                                        std::string file_name) {
    config::Report report(std::move(file_name));
    const auto document = config::read_document(text, report);
    if (!document) return tl::unexpected(report.take());
    NetworkScenario scenario = ScenarioReader(report, *document).read();
    if (!report.clean()) return tl::unexpected(report.take());
    return scenario;
}

tl::expected<NetworkScenario, std::vector<config::Fault>> load_scenario(const std::string& path) {
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
    std::string text(config::largest_file + 1, '\0');
    if (file) text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (file && std::ferror(file.get()) == 0) return read_scenario(text, path);
    config::Report report(path);
    report.add({}, "file", fmt::format("cannot be read: {}", std::strerror(errno)),
               "name a file that can be read");
    return tl::unexpected(report.take());
}

}  // namespace sluice::sim
