#include "tools/snmp/mibs.h"

namespace sluice::snmp {

namespace {

const Oid interfaces_group = {1, 3, 6, 1, 2, 1, 2};
const Oid if_entry = {1, 3, 6, 1, 2, 1, 2, 2, 1};
const Oid if_mib_objects = {1, 3, 6, 1, 2, 1, 31, 1};
const Oid if_x_entry = {1, 3, 6, 1, 2, 1, 31, 1, 1, 1};

// Returns the IANAifType.
uint64_t type_of(Interface::Kind kind) {
    if (kind == Interface::Kind::tunnel) return 131;
    return kind == Interface::Kind::aggregation ? 161 : 6;
}

enum OperStatus : uint64_t { up = 1, down = 2, not_present = 6 };

OperStatus oper_status_of(const Interface& about, bool answers) {
    if (!answers || about.link == Interface::Link::gone) return not_present;
    return about.admin_up && about.link == Interface::Link::up ? up : down;
}

void put_interface(Objects& objects, const Interface& about, const InterfaceTimes& times,
                   bool answers) {
    const Oid index = {about.if_index};
    objects.put_row(if_entry, index,
                    {{1, integer(about.if_index)},
                     {2, octets(about.name)},
                     {3, integer(type_of(about.kind))},
                     {4, integer(about.mtu)},
                     {5, gauge(about.speed)},
                     {6, octets(about.address)},
                     {7, integer(about.admin_up ? up : down)},
                     {8, integer(oper_status_of(about, answers))},
                     {9, time_ticks(times.changed)},
                     {10, counter(about.in.octets)},
                     {11, counter(about.in.frames)},
                     {13, counter(about.in.discards)},
                     {14, counter(about.in.errors)},
                     {16, counter(about.out.octets)},
                     {17, counter(about.out.frames)},
                     {19, counter(about.out.discards)},
                     {20, counter(about.out.errors)}});
    objects.put_row(if_x_entry, index,
                    {{1, octets(about.name)},
                     {6, counter_64(about.in.octets)},
                     {7, counter_64(about.in.frames)},
                     {10, counter_64(about.out.octets)},
                     {11, counter_64(about.out.frames)},
                     {14, integer(2)},  // linkUpDown traps are disabled
                     {15, gauge((about.speed + 500'000) / 1'000'000)},
                     {18, octets(about.description)},
                     {19, time_ticks(times.discontinuity)}});
}

}  // namespace

void put_if_mib(Objects& objects, const Interfaces& interfaces, const IfMibTimes& times,
                bool answers) {
    objects.put(interfaces_group, 1, integer(interfaces.size()));
    objects.put(if_mib_objects, 5, time_ticks(times.table_changed));
    for (const Interface& about : interfaces) {
        const auto known = times.interfaces.find(about.name);
        put_interface(objects, about,
                      known == times.interfaces.end() ? InterfaceTimes{} : known->second, answers);
    }
}

}  // namespace sluice::snmp
