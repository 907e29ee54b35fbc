#include "config/bridge/mirrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "config/choices.h"

namespace sluice::config {

namespace {

// Returns the item of the list that has this text; null if there is none.
const Value* listed(const Value& list, std::string_view name) {
    const auto found = std::find_if(list.items.begin(), list.items.end(),
                                    [&](const Value& item) { return item.text == name; });
    return found == list.items.end() ? nullptr : &*found;
}

class MirrorRules {
  public:
    MirrorRules(const Value& file, const PortNames& names, Report& report)
        : file_(file), names_(names), report_(report) {}

    void check() {
        for (const Value& mirror : file_["mirrors"].items) {
            const Value* to = names_.find(mirror["to"]);
            for (const Value& name : mirror["from"].items) {
                const Value* from = names_.find(name);
                if (from != nullptr && to != nullptr) can_see(name, *from, *to);
            }
            if (to != nullptr) is_free(mirror);
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void can_see(const Value& name, const Value& from, const Value& to) {
        if (&from == &to) {
            fault(name, fmt::format("{} would get copies of its own frames", name.text),
                  "leave it out, or send the copies elsewhere");
        } else if (from["format"].text != to["format"].text) {
            fault(name,
                  fmt::format("frames of {} are {}, and {} sends {}", name.text,
                              from["format"].text, to["name"].text, to["format"].text),
                  "give both ports one format");
        }
    }

    // Checks that the mirror port can send copies: all mirrors of the port have the same `bridged`,
    // the port is in no aggregation, and in no VLAN unless `bridged`.
    void is_free(const Value& mirror) {
        const Value& to = mirror["to"];
        for (const Value& other : file_["mirrors"].items) {
            const bool same = other["to"].text == to.text;
            if (same && other["bridged"].number != mirror["bridged"].number) {
                fault(mirror["bridged"],
                      fmt::format("differs from {}, for {}", other.path, to.text),
                      "write the same for both");
            }
        }
        for (const Value& aggregation : file_["aggregations"].items) {
            if (listed(aggregation["ports"], to.text) == nullptr) continue;
            fault(to, fmt::format("{} is a member of {}", to.text, aggregation["name"].text),
                  "send the copies to a port of its own");
        }
        if (mirror["bridged"].number != 0) return;
        for (const Value& vlan : file_["vlans"].items) {
            const Value* member = listed(vlan["ports"], to.text);
            if (member == nullptr) continue;
            fault(*member, fmt::format("{} only sends copies", to.text),
                  fmt::format("leave it out here, or write {}.bridged: true", mirror.path));
        }
    }

    const Value& file_;
    const PortNames& names_;
    Report& report_;
};

}  // namespace

void check_mirrors(const Value& file, const PortNames& names, Report& report) {
    MirrorRules(file, names, report).check();
}

std::vector<MirrorSettings> mirror_settings(
    const Value& file, const std::map<std::string, PortIndex, std::less<>>& indices) {
    std::vector<MirrorSettings> all;
    for (const Value& mirror : file["mirrors"].items) {
        MirrorSettings& settings = all.emplace_back();
        for (const Value& port : mirror["from"].items) {
            settings.from |= only(indices.at(port.text));
        }
        settings.direction = choice<MirrorDirection>(mirror["direction"]);
        settings.to = indices.at(mirror["to"].text);
        settings.bridged = mirror["bridged"].number != 0;
    }
    return all;
}

}  // namespace sluice::config
