#include "control/dcbx/classification.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace sluice::dcbx {
namespace {

constexpr std::array<std::pair<ApplicationSelector, Selector>, 5> selectors = {{
    {ApplicationSelector::ethertype, Selector::ether_type},
    {ApplicationSelector::tcp, Selector::tcp},
    {ApplicationSelector::udp, Selector::udp},
    {ApplicationSelector::port, Selector::tcp_or_udp},
    {ApplicationSelector::dscp, Selector::dscp},
}};

Selector selector_of(ApplicationSelector selector) {
    return std::ranges::find(selectors, selector, [](auto pair) { return pair.first; })->second;
}
std::optional<ApplicationSelector> selector_of(Selector selector) {
    const auto* found =
        std::ranges::find(selectors, selector, [](auto pair) { return pair.second; });
    return found == selectors.end() ? std::nullopt : std::optional(found->first);
}

// Inserts `application` after the tag, or first if the tag is not in the order.
void ask_for_application(std::array<PrioritySource, priority_sources>& order) {
    if (std::ranges::find(order, PrioritySource::application) != order.end()) return;
    const auto tag = std::ranges::find(order, PrioritySource::pcp);
    const auto place = tag == order.end() ? order.begin() : tag + 1;
    std::ranges::move_backward(place, order.end() - 1, order.end());
    *place = PrioritySource::application;
}

}  // namespace

ApplicationTable applications_of(const ClassifySettings& classify) {
    ApplicationTable table;
    for (const ApplicationPriority& entry :
         std::span(classify.applications).first(classify.application_count)) {
        table.push_back({selector_of(entry.selector), entry.protocol, entry.priority});
    }
    return table;
}

ApplicationTable classified_by(const ApplicationTable& table, FaultCounters& faults) {
    ApplicationTable kept;
    for (const Application& entry : table) {
        if (!selector_of(entry.selector)) {
            faults.count(Fault::not_classified);
        } else if (kept.size() == most_applications) {
            faults.count(Fault::table_full);
        } else {
            kept.push_back(entry);
        }
    }
    return kept;
}

void classify_by(const ApplicationTable& table, ClassifySettings& classify) {
    classify.application_count = 0;
    for (const Application& entry : table) {
        const auto selector = selector_of(entry.selector);
        if (!selector || classify.application_count == most_applications) continue;
        classify.applications[classify.application_count++] = {
            .selector = *selector, .protocol = entry.protocol, .priority = entry.priority};
    }
    ask_for_application(classify.order);
}

}  // namespace sluice::dcbx
