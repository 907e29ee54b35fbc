#include "control/show/dcbx_text.h"

#include <fmt/format.h>

namespace sluice::control {

namespace {

std::string join(std::string list, const std::string& item) {
    return list.empty() ? item : list + ", " + item;
}

std::string text_of_set(PrioritySet priorities) {
    std::string list;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((priorities & only_priority(priority)) != 0) {
            list = join(std::move(list), std::to_string(priority));
        }
    }
    return list.empty() ? "none" : list;
}

std::string text_of_ets(const dcbx::Ets& ets) {
    std::string list;
    for (std::size_t number = 0; number < dcbx::traffic_classes; ++number) {
        PrioritySet priorities = 0;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if (ets.class_of[priority] == number) priorities |= only_priority(priority);
        }
        if (priorities == 0) continue;
        const bool shares = ets.selection[number] == dcbx::Selection::ets;
        const std::string served = shares ? fmt::format("{} %", ets.bandwidth[number])
                                          : std::string(name(ets.selection[number]));
        list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", text_of_set(priorities), served);
    }
    return list;
}

std::string text_of_applications(const dcbx::ApplicationTable& table) {
    std::string list;
    for (const dcbx::Application& entry : table) {
        const bool hexadecimal = entry.selector == dcbx::Selector::ether_type;
        const std::string number =
            hexadecimal ? fmt::format("0x{:04X}", entry.protocol) : std::to_string(entry.protocol);
        list = join(std::move(list),
                    fmt::format("{} {}: {}", name(entry.selector), number, entry.priority));
    }
    return list.empty() ? "none" : list;
}

}  // namespace

std::string text_of(const dcbx::FeatureValue& value) {
    if (const auto* ets = std::get_if<dcbx::Ets>(&value)) return text_of_ets(*ets);
    if (const auto* table = std::get_if<dcbx::ApplicationTable>(&value)) {
        return text_of_applications(*table);
    }
    if (const auto* classes = std::get_if<dcbx::Classes>(&value)) {
        return std::to_string(classes->count);
    }
    return text_of_set(std::get<PrioritySet>(value));
}

}  // namespace sluice::control
