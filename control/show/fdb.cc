#include "control/show/fdb.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "control/show/noun_snapshots.h"

namespace sluice::control {

namespace {

const std::string& bridge_port_name(const PortView& port) {
    return port.aggregation.empty() ? port.name : port.aggregation;
}

std::string_view kind_of(const View& view, const FdbEntry& entry) {
    const bool learned = entry.kind == EntryKind::learned;
    return learned && view.settings.ports[entry.port].sticky ? "sticky" : name_of(entry.kind);
}

bool is_wanted(const View& view, const FdbEntry& entry, const ShowFilter& filter) {
    return (!filter.vlan || *filter.vlan == entry.vlan) &&
           (!filter.address || *filter.address == entry.address) &&
           (filter.ports.empty() || filter.names(bridge_port_name(view.ports[entry.port])));
}

}  // namespace

Json fdb_snapshot(const View& view, const ShowFilter& filter, const std::optional<FdbPage>& page) {
    Json rows = Json::array();
    std::map<Fdb::Key, FdbEntry> entries;  // ordered by family, VLAN and address
    const Fdb::Key after =
        page && page->vlan != 0 ? Fdb::key_of(page->vlan, page->address) : Fdb::Key{};
    view.dataplane.fdb().for_each([&](const FdbEntry& entry) {
        if (view.ports[entry.port].vacant) return;  // the port's entries are about to be flushed
        if (!is_wanted(view, entry, filter)) return;
        const Fdb::Key key = Fdb::key_of(entry.family, entry.vlan, entry.address);
        const bool full = page && entries.size() >= page->limit;
        if (page && (key <= after || (full && key > entries.rbegin()->first))) return;
        // An entry that a worker moves during this search may be seen twice.
        const bool is_new = entries.emplace(key, entry).second;
        if (full && is_new) entries.erase(std::prev(entries.end()));
    });
    for (const auto& [key, entry] : entries) {
        const bool learned = entry.kind == EntryKind::learned;
        const int64_t age =
            learned ? std::max<int64_t>(0, Fdb::age_of(entry.epoch, view.now).count()) : 0;
        rows.push_back({{"vlan", entry.vlan},
                        {"address", to_text(entry.family, entry.address)},
                        {"family", name_of(entry.family)},
                        {"port", bridge_port_name(view.ports[entry.port])},
                        {"kind", kind_of(view, entry)},
                        {"vtep", vtep_of(view, entry)},
                        {"vni", vni_for(view, entry.port, entry.vlan)},
                        {"age_s", age / 1'000'000'000}});
    }
    return rows;
}

}  // namespace sluice::control
