#include "control/show/restored_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "control/show/counter_rows.h"
#include "dataplane/types/drops.h"

namespace sluice::control {

namespace {

using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 1> of_drops = {"frames"};
constexpr std::array<std::string_view, 2> drop_keys = {"side", "reason"};
constexpr std::array<std::string_view, 1> priority_key = {"priority"};

struct RestoredNoun {
    std::string_view noun;
    std::string_view port;  // key that holds the port's name
    Keys row_keys;          // keys that identify a row, apart from the port
    Keys counters;
};
constexpr auto restored_nouns = std::to_array<RestoredNoun>({
    {"ports", "name", {}, restored_keys_of<port_counters>},
    {"drops", "port", drop_keys, of_drops},
    {"pfc", "port", priority_key, restored_keys_of<pfc_counters>},
});

std::string text_of(const Json& word) {
    return word.is_string() ? word.get<std::string>() : word.dump();
}

std::string counted_as(const RestoredNoun& about, const Json& row, std::string_view counter) {
    std::string name(about.noun);
    for (const std::string_view key : about.row_keys) name += '.' + text_of(row.at(key));
    return fmt::format("{}.{}", name, counter);
}

bool is_shown(const RestoredNoun& about, const Json& row) {
    return about.noun == "ports" || row.value("lossless", false) ||
           std::ranges::any_of(about.counters,
                               [&](std::string_view counter) { return row.at(counter) != 0; });
}

bool is_of_a_known_reason(std::string_view drops) {
    return std::ranges::any_of(drop_names, [&](const DropName& reason) {
        return drops.ends_with(fmt::format(".{}.frames", reason.name));
    });
}

}  // namespace

std::map<std::string, RestoredCounters::Counts, std::less<>> RestoredCounters::counts_of(
    const Show& show) {
    std::map<std::string, Counts, std::less<>> counts;
    for (const RestoredNoun& about : restored_nouns) {
        const Json rows = show(about.noun);
        for (const Json& row : rows) {
            for (const std::string_view counter : about.counters) {
                const auto count = row.at(counter).get<uint64_t>();
                if (count == 0) continue;
                counts[row.at(about.port).get<std::string>()][counted_as(about, row, counter)] =
                    count;
            }
        }
    }
    return counts;
}

void RestoredCounters::take(const std::string& port, Counts counts) {
    std::erase_if(counts, [](const auto& count) {
        return count.first.starts_with("drops.") && !is_of_a_known_reason(count.first);
    });
    counts_[port] = std::move(counts);
}

void RestoredCounters::rename(const std::map<std::string, std::string>& ports) {
    std::map<std::string, Counts, std::less<>> renamed;
    for (auto& [port, counts] : counts_) {
        const auto found = ports.find(port);
        renamed[found == ports.end() ? port : found->second] = std::move(counts);
    }
    counts_ = std::move(renamed);
}

uint64_t RestoredCounters::of(std::string_view port, std::string_view name) const {
    const auto counts = counts_.find(port);
    if (counts == counts_.end()) return 0;
    const auto found = counts->second.find(name);
    return found == counts->second.end() ? 0 : found->second;
}

Json RestoredCounters::add_to(std::string_view noun, bool all, const Rows& rows) const {
    const auto* const about = std::ranges::find(restored_nouns, noun, &RestoredNoun::noun);
    if (counts_.empty() || about == restored_nouns.end()) return rows(all);
    Json kept = Json::array();
    for (Json& row : rows(true)) {
        const auto port = row.at(about->port).get<std::string>();
        const auto add = [&](std::string_view counter, uint64_t before) {
            row[std::string(counter)] = row.at(counter).get<uint64_t>() + before;
        };
        for (const std::string_view counter : about->counters) {
            add(counter, of(port, counted_as(*about, row, counter)));
        }
        if (noun == "ports" && counts_.contains(port)) {
            for (const auto& [name, count] : counts_.find(port)->second) {
                if (name.starts_with("drops.")) add("dropped", count);
            }
        }
        if (all || is_shown(*about, row)) kept.push_back(std::move(row));
    }
    return kept;
}

}  // namespace sluice::control
