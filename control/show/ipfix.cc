#include "control/show/noun_snapshots.h"

#include "control/ipfix/manager.h"
#include "control/show/collectors.h"

namespace sluice::control {

Json ipfix_snapshot(const View& view, bool) {
    Json shown{{"enabled", false},
               {"messages", 0},
               {"records", 0},
               {"samples_lost", 0},
               {"collectors", Json::array()},
               {"workers", Json::array()},
               {"objects", Json::array()}};
    if (view.ipfix == nullptr || !view.ipfix->is_on()) return shown;
    const IpfixManager& ipfix = *view.ipfix;
    shown["enabled"] = true;
    shown["period_ns"] = ipfix.about().period.count();
    shown["domain"] = ipfix.about().domain;
    shown["templates"] = ipfix.exporter().templates();
    shown["messages"] = ipfix.exporter().messages();
    shown["records"] = ipfix.exporter().records();
    shown["collectors"] = collectors_of(ipfix.collectors());
    for (WorkerIndex worker = 0; worker < ipfix.layout().size(); ++worker) {
        const auto& objects = ipfix.layout()[worker];
        if (objects.empty()) continue;
        const IpfixManager::Sampled sampled = ipfix.sampled(worker);
        shown["workers"].push_back({{"worker", worker},
                                    {"template", ipfix.exporter().template_of(worker)},
                                    {"samples", sampled.counts.samples},
                                    {"lost", sampled.counts.lost},
                                    {"mean_ns", sampled.mean.count()},
                                    {"longest_ns", sampled.longest.count()}});
        for (const ipfix::Object& object : objects) {
            const bool is_queue = object.type == ipfix::ObjectType::queue;
            shown["objects"].push_back({{"object", object.name},
                                        {"type", is_queue ? "queue" : "group"},
                                        {"id", object.id},
                                        {"worker", worker}});
        }
    }
    shown["samples_lost"] = ipfix.lost();
    return shown;
}

}  // namespace sluice::control
