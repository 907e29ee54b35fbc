#include "config/protocols/spanning_tree.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "config/choices.h"
#include "config/port/encapsulations.h"
#include "config/port/formats.h"
#include "config/yaml/values.h"
#include "config/yaml/whole.h"

namespace sluice::config {

namespace {

constexpr int64_t second = 1'000'000'000;

class SpanningTreeRules {
  public:
    SpanningTreeRules(const Value& file, Report& report)
        : file_(file), tree_(file["spanning_tree"]), report_(report) {}

    void check() {
        const bool is_off = tree_["mode"].valid && tree_["mode"].text == "off";
        const bool is_forgotten = is_off && !tree_["mode"].written;
        if (is_forgotten) {
            for (const Value& key : tree_.items) means_nothing_when_off(key);
        }
        is_multiple(tree_["priority"], 4096);
        times_fit();
        if (!is_off && tree_["mode"].valid && file_["bpdus"].text == "forward") {
            fault(file_["bpdus"], "with spanning_tree.mode the switch processes BPDUs itself",
                  "write drop, or spanning_tree: {mode: off}");
        }
        for (const Value& port : file_["ports"].items) check_port(port, is_forgotten);
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void means_nothing_when_off(const Value& key) {
        if (!key.written || !key.valid || key.name == "mode") return;
        fault(key, "has no meaning without spanning_tree.mode",
              "leave it out, or write mode: rstp beside it");
    }

    void is_multiple(const Value& value, int64_t step) {
        if (!value.valid || value.number % step == 0) return;
        fault(value, fmt::format("{} is no multiple of {}", value.number, step),
              fmt::format("write {} or {}", value.number / step * step,
                          (value.number / step + 1) * step));
    }

    // Checks the relations between the times that 802.1D-2004 17.14 requires.
    void times_fit() {
        const Value& hello = tree_["hello"];
        const Value& age = tree_["max_age"];
        const Value& delay = tree_["forward_delay"];
        if (!hello.valid || !age.valid || !delay.valid) return;
        const int64_t most = 2 * (delay.number - second);
        const int64_t least = 2 * (hello.number + second);
        if (age.number > most) {
            fault(age.written ? age : delay,
                  fmt::format("max_age of {} is above twice the forward_delay less a second, {}",
                              format_time(age.number), format_time(most)),
                  "write a smaller max_age, or a larger forward_delay");
        } else if (age.number < least) {
            fault(age,
                  fmt::format("max_age of {} is below twice the hello and a second, {}",
                              format_time(age.number), format_time(least)),
                  "write a larger max_age");
        }
    }

    void check_port(const Value& port, bool tree_is_forgotten) {
        const Value& keys = port["spanning_tree"];
        is_multiple(keys["priority"], 16);
        const auto is_set = [&](std::string_view key) {
            return keys[key].valid && keys[key].number != 0;
        };
        const Value& filter = keys["bpdu_filter"];
        if (is_set("bpdu_filter") && (is_set("bpdu_guard") || is_set("root_guard"))) {
            fault(filter, "a port that ignores BPDUs needs no guard",
                  "write bpdu_filter: false, or no guard");
        }
        const Value& recovery = keys["recovery"];
        if (!is_set("bpdu_guard") && recovery.says_something() && !recovery.is_of_defaults()) {
            fault(recovery, "has no meaning without bpdu_guard",
                  "leave it out, or write bpdu_guard: true");
        }
        for (const Value& key : keys.items) {
            if (!key.written || !key.valid || key.is_of_defaults()) continue;
            if (tree_is_forgotten) {
                fault(key, "has no meaning without a spanning tree",
                      "leave it out, or write spanning_tree: {mode: rstp} for the switch");
            } else {
                is_of_a_port_of_the_tree(key, port);
            }
        }
    }

    void is_of_a_port_of_the_tree(const Value& key, const Value& port) {
        const auto format = format_named(file_, port["format"].text);
        if (is_tunnel(port)) {
            fault(key, "a tunnel is not in the spanning tree", "leave it out");
        } else if (format && !(*format == presets[0])) {
            fault(key,
                  fmt::format("a port with frames of format {} is not in the spanning tree",
                              port["format"].text),
                  "leave it out, or write format: standard");
        }
    }

    const Value& file_;
    const Value& tree_;
    Report& report_;
};

}  // namespace

void check_spanning_tree(const Value& file, Report& report) {
    SpanningTreeRules(file, report).check();
}

SpanningTreeConfig spanning_tree_config(const Value& file) {
    const Value& tree = file["spanning_tree"];
    return {.mode = choice<SpanningTreeMode>(tree["mode"]),
            .priority = whole<uint16_t>(tree["priority"]),
            .hello = Nanos(tree["hello"].number),
            .max_age = Nanos(tree["max_age"].number),
            .forward_delay = Nanos(tree["forward_delay"].number),
            .hold_count = whole<uint8_t>(tree["tx_hold_count"])};
}

PortSpanningTreeConfig port_spanning_tree_config(const Value& port) {
    const Value& keys = port["spanning_tree"];
    return {.cost = keys["cost"].written ? whole<uint32_t>(keys["cost"]) : 0,
            .priority = whole<uint8_t>(keys["priority"]),
            .edge = choice<EdgePort>(keys["edge"]),
            .bpdu_guard = keys["bpdu_guard"].number != 0,
            .recovery = Nanos(keys["recovery"].number),
            .bpdu_filter = keys["bpdu_filter"].number != 0,
            .root_guard = keys["root_guard"].number != 0};
}

void join_spanning_tree(Configuration& built) {
    if (built.spanning_tree.mode == SpanningTreeMode::off) return;
    const PortSet bridges_nothing = only_mirrored_to(built.settings.mirrors);
    for (PortIndex port = 0; port < built.ports.size(); ++port) {
        PortSettings& settings = built.settings.ports[port];
        settings.spanning_tree = !built.ports[port].tunnel && settings.format == presets[0] &&
                                 (bridges_nothing & only(port)) == 0;
    }
}

}  // namespace sluice::config
