#include "control/dcbx/classification.h"

#include <algorithm>
#include <optional>
#include <span>

namespace sluice::dcbx {
namespace {

Selector selector_of(ApplicationSelector selector) {
    switch (selector) {
        case ApplicationSelector::tcp:
            return Selector::tcp;
        case ApplicationSelector::udp:
            return Selector::udp;
        case ApplicationSelector::port:
            return Selector::tcp_or_udp;
        case ApplicationSelector::dscp:
            return Selector::dscp;
        default:
            return Selector::ether_type;
    }
}

std::optional<ApplicationSelector> selector_of(Selector selector) {
    switch (selector) {
        case Selector::ether_type:
            return ApplicationSelector::ethertype;
        case Selector::tcp:
            return ApplicationSelector::tcp;
        case Selector::udp:
            return ApplicationSelector::udp;
        case Selector::tcp_or_udp:
            return ApplicationSelector::port;
        case Selector::dscp:
            return ApplicationSelector::dscp;
        default:
            return std::nullopt;
    }
}

// Behind the tag, or first where no tag is asked.
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
