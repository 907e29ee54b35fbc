#include "tools/sim/scenario/flows_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>

#include "config/yaml/text_file.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/scenario/frame_reader.h"
#include "tools/sim/scenario/scenario_keys.h"
#include "tools/sim/scenario/trace_reader.h"

namespace sluice::sim {

namespace {

using PatternSet = uint32_t;

constexpr PatternSet only(std::initializer_list<Pattern> patterns) {
    PatternSet set = 0;
    for (const Pattern pattern : patterns) set |= PatternSet{1} << static_cast<unsigned>(pattern);
    return set;
}
constexpr PatternSet all_but(std::initializer_list<Pattern> patterns) { return ~only(patterns); }

// A key that only some patterns have.
struct Belonging {
    std::string_view key;
    PatternSet patterns;
    std::string_view what;
    std::string_view remedy;
};
constexpr auto belongings = std::to_array<Belonging>({
    {"on", only({Pattern::bursts, Pattern::pulses}), "is only valid with pattern bursts or pulses",
     "write one of these as pattern"},
    {"off", only({Pattern::bursts, Pattern::pulses}), "is only valid with pattern bursts or pulses",
     "write one of these as pattern"},
    {"bytes", only({Pattern::incast, Pattern::all_reduce, Pattern::transfers}),
     "is only valid with pattern incast, all_reduce or transfers", "write one of these as pattern"},
    {"sizes", only({Pattern::transfers}), "is only valid with pattern transfers",
     "write it as pattern"},
    {"period", only({Pattern::incast}), "is only valid with pattern incast", "write it as pattern"},
    {"rounds", only({Pattern::all_reduce}), "is only valid with pattern all_reduce",
     "write it as pattern"},
    {"file", only({Pattern::trace}), "is only valid with pattern trace", "write it as pattern"},
    {"from", all_but({Pattern::trace}), "is in the file of a trace", "remove it"},
    {"to", all_but({Pattern::all_reduce, Pattern::trace}),
     "is given by the ring of an all_reduce and by the file of a trace", "remove it"},
    {"priority", all_but({Pattern::trace}), "is in the file of a trace", "remove it"},
    {"start", all_but({Pattern::trace}), "is in the file of a trace", "remove it"},
    {"stop", all_but({Pattern::all_reduce, Pattern::trace}),
     "is not valid with pattern all_reduce or trace, which end by themselves", "remove it"},
    {"size_to", all_but({Pattern::incast, Pattern::all_reduce, Pattern::trace, Pattern::transfers}),
     "is not valid for messages", "write size alone"},
});

bool has_key(std::string_view key, Pattern pattern) {
    const auto found = std::ranges::find(belongings, key, &Belonging::key);
    return found == belongings.end() || (found->patterns & only({pattern})) != 0;
}

// The limit of a host's rate control that a frame has to fit in.
struct FrameLimit {
    std::string_view setting;
    std::string_view size;
    Bytes most;
};
std::optional<FrameLimit> limit_of(const HostSpec& host) {
    switch (host.rate_control) {
        case RateLimit::window:
            return FrameLimit{"window", "bytes", host.window.bytes};
        case RateLimit::end_to_end_credit:
            return FrameLimit{"end_to_end_credit", "bytes", host.end_to_end_credit.bytes};
        case RateLimit::pulls:
            return FrameLimit{"pulls", "initial", host.pulls.initial - on_wire_of(Bytes(0))};
        default:
            return std::nullopt;
    }
}

}  // namespace

std::vector<FlowSpec> FlowsReader::read() {
    std::vector<FlowSpec> flows;
    if (file_.written() && !file_.has("flows")) {
        file_.fault("flows", "is missing", "write a list of flows");
    }
    std::size_t pairs = 0;
    std::set<std::string> names;
    for (Fields& fields : file_.maps("flows", keys::flows)) {
        FlowSpec spec = flow_of(fields, flows.size());
        if (!names.insert(spec.name).second) {
            fields.fault("name", fmt::format("{} is taken", spec.name), "choose another");
        }
        pairs += spec.from.size() * std::max(spec.to.size(), std::size_t{1});
        check_ways(fields, spec);
        check_windows(fields, spec);
        check_draws(fields, spec);
        flows.push_back(std::move(spec));
    }
    if (pairs > most_pairs) {
        file_.fault("flows", fmt::format("are between {} pairs of hosts", pairs),
                    fmt::format("write at most {}", most_pairs));
    }
    return flows;
}

FlowSpec FlowsReader::flow_of(Fields& fields, std::size_t index) {
    FlowSpec spec;
    spec.name = fields.has("name") ? fields.text("name") : fmt::format("flow{}", index);
    spec.pattern = static_cast<Pattern>(fields.number("pattern"));
    for (const Belonging& belonging : belongings) {
        if (!fields.has(belonging.key) || has_key(belonging.key, spec.pattern)) continue;
        fields.fault(belonging.key, std::string(belonging.what), std::string(belonging.remedy));
    }
    read_transport(fields, spec.flow);
    read_frames(fields, spec, scenario_.format);
    read_hosts(fields, spec);
    spec.flow.priority = static_cast<Priority>(fields.number("priority"));
    if (spec.pattern < Pattern::incast) spec.pace.pace = static_cast<Pace>(spec.pattern);
    if (fields.has("rate")) spec.pace.rate = BitsPerSecond(fields.number("rate"));
    spec.pace.on = picos(Nanos(fields.number("on")));
    spec.pace.off = picos(Nanos(fields.number("off")));
    spec.pace.start = picos(Nanos(fields.number("start")));
    spec.pace.stop = picos(Nanos(fields.number("stop")));
    if (spec.pace.start >= picos(scenario_.run.time)) {
        fields.fault("start", "sends nothing: it starts after the run", "write less than run.time");
    } else if (spec.pace.stop <= spec.pace.start) {
        fields.fault("stop", "is not after start", "write a later one, or none");
    }
    spec.bytes = Bytes(fields.number("bytes"));
    if (fields.has("period")) spec.period = picos(Nanos(fields.number("period")));
    spec.rounds = static_cast<uint64_t>(fields.number("rounds"));
    if (spec.pattern >= Pattern::incast && spec.carried == Bytes(0)) {
        fields.fault("payload", "carries nothing of a message", "write more than 0B");
    }
    if (spec.pattern == Pattern::trace) read_trace_of(fields, spec);
    if (spec.pattern == Pattern::transfers) read_sizes(fields, spec);
    return spec;
}

void FlowsReader::read_transport(Fields& fields, Flow& flow) {
    const Picos timeout = picos(Nanos(fields.number("timeout")));
    const auto transport = static_cast<std::size_t>(fields.number("transport"));
    if (keys::transports[transport] != "datagram") {
        flow.again = timeout;
        flow.any_order = keys::transports[transport] == "selective";
    } else if (fields.has("timeout")) {
        fields.fault("timeout", "is only valid with transports that resend",
                     "write transport: go_back_n or selective, or remove it");
    }
}

void FlowsReader::read_sizes(Fields& fields, FlowSpec& spec) {
    if (!fields.has("rate")) {
        fields.fault("rate", "is missing", "write the offered rate of each sender");
    }
    const std::string_view sizes =
        keys::flow_sizes[static_cast<std::size_t>(fields.number("sizes"))];
    if (sizes != "bytes" && fields.has("bytes")) {
        fields.fault("bytes", "cannot be combined with a distribution in sizes",
                     "keep one of the two");
    }
    // Switches distinguish flows by UDP ports, which need an IP header.
    spec.flow.ip = spec.flow.ip || spec.around == Bytes(0);
    spec.sizes = sizes == "websearch" ? FlowSizes(websearch_sizes())
                 : sizes == "hadoop"  ? FlowSizes(hadoop_sizes())
                                      : FlowSizes(spec.bytes);
}

void FlowsReader::read_hosts(Fields& fields, FlowSpec& spec) {
    for (const auto& [key, hosts] : {std::pair{"from", &spec.from}, std::pair{"to", &spec.to}}) {
        if (!has_key(key, spec.pattern)) continue;
        if (fields.has(key)) {
            *hosts = names_.named(fields, key);
        } else if (fields.written()) {
            fields.fault(key, "is missing", "write a name, or a list of names");
        }
    }
    if (spec.pattern == Pattern::all_reduce && spec.from.size() == 1) {
        fields.fault("from", "names a single host", "name two or more");
    }
}

void FlowsReader::read_trace_of(Fields& fields, FlowSpec& spec) {
    const std::string name = fields.text("file");
    if (name.empty() || name.front() == '/' || name.find("..") != std::string::npos) {
        if (!name.empty() || !fields.has("file")) {
            fields.fault("file",
                         name.empty() ? "is missing" : "is not in the folder of the scenario",
                         "write the name of a file in its folder");
        }
        return;
    }
    const std::string path = folder_.empty() ? name : folder_ + '/' + name;
    const auto text = config::read_text_file(path, longest_trace, config::FileKind::regular);
    if (!text) return fields.fault("file", text.error(), "name a file that can be read");
    auto lines = read_trace(*text, path, names_,
                            [this](std::size_t from, std::size_t to) { return leads(from, to); });
    if (lines) {
        spec.trace = std::move(*lines);
        spec.trace_file = name;
    } else {
        std::ranges::move(lines.error(), std::back_inserter(of_traces_));
    }
}

bool FlowsReader::leads(std::size_t from, std::size_t to) const {
    return far_.empty() || far_[to][scenario_.hosts[from].at.node] >= 0;
}

// Checks that a path leads from each sender to each receiver; for all_reduce, to the next member.
void FlowsReader::check_ways(Fields& fields, const FlowSpec& spec) {
    const auto check = [&](std::size_t from, std::size_t to) {
        if (leads(from, to)) return true;
        fields.fault(fields.has("to") ? "to" : "from",
                     fmt::format("no path leads from {} to {}", scenario_.hosts[from].name,
                                 scenario_.hosts[to].name),
                     "write links between their switches");
        return false;
    };
    if (spec.pattern == Pattern::all_reduce) {
        for (std::size_t n = 0; n < spec.from.size(); ++n) {
            if (!check(spec.from[n], spec.from[(n + 1) % spec.from.size()])) return;
        }
        return;
    }
    bool somebody = !names_.known() || spec.from.empty() || spec.to.empty();
    for (const std::size_t from : spec.from) {
        for (const std::size_t to : spec.to) {
            somebody |= from != to;
            if (!check(from, to)) return;
        }
    }
    if (!somebody) fields.fault("to", "is who sends", "name another host");
}

// Checks that the limit of each sender's rate control has room for the longest frame, which could
// never be sent otherwise.
void FlowsReader::check_windows(Fields& fields, const FlowSpec& spec) {
    const auto check = [&](std::size_t from) {
        const HostSpec& host = scenario_.hosts[from];
        const auto limit = limit_of(host);
        const Bytes longest(spec.flow.mix.longest);
        if (!limit || longest <= limit->most) return true;
        fields.fault(fields.has("size_to") ? "size_to" : "size",
                     fmt::format("{} octets fit no {} of {}, which is of {}", longest.count(),
                                 limit->setting, host.name, limit->most.count()),
                     fmt::format("write shorter frames, or a larger {}.{} of peers", limit->setting,
                                 limit->size));
        return false;
    };
    for (const std::size_t from : spec.from) {
        if (!check(from)) return;
    }
    for (const TraceLine& line : spec.trace) {
        if (!check(line.from)) return;
    }
}

// Checks that the rate of bernoulli is not too low: each frame time without a frame costs a draw
// (pace.h).
void FlowsReader::check_draws(Fields& fields, const FlowSpec& spec) {
    constexpr int64_t most = 1000;
    if (spec.pattern != Pattern::bernoulli || spec.pace.rate.count() == 0) return;
    for (const std::size_t from : spec.from) {
        const HostSpec& host = scenario_.hosts[from];
        // With rate control or retransmission each receiver has its own share of the rate.
        const bool parted =
            (host.rate_control != RateLimit::none || spec.flow.again) && !spec.to.empty();
        const Wide parts = parted ? Wide{static_cast<int64_t>(spec.to.size())} : Wide{1};
        if (Wide{spec.pace.rate.count()} * most >= Wide{host.cable.speed.count()} * parts) continue;
        return fields.fault("rate",
                            fmt::format("leaves more than {} frame times of {} idle for each frame",
                                        most, host.name),
                            "write pattern: poisson, which draws once a frame, or a higher rate");
    }
}

}  // namespace sluice::sim
