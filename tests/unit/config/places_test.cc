#include "config/places.h"

#include <gtest/gtest.h>

#include "config/difference.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Configuration started(std::string_view text) {
    Configuration configuration = *load_text(text, "running.yaml");
    add_vacant_places(configuration);
    return configuration;
}

// `next` at the places of `running`, and its faults.
Lines placed(Configuration& next, const Configuration& running) {
    return lines_of(take_places(next, running, vacant_places(running)));
}

std::string names(const Configuration& configuration) {
    std::string list;
    for (const PortConfig& port : configuration.ports) {
        list += port.vacant ? "- " : port.name + ' ';
    }
    return list;
}

TEST(Places, AreThoseOfDevicesWhateverTheFileCallsThem) {
    const Configuration running = started(
        "ports: [{name: a, device: ring:a}, {name: b, device: ring:b}, {name: c, device: ring:c}]");
    Configuration next = *load_text(
        "ports: [{name: c, device: ring:c}, {name: x, device: ring:a, rate: 1G}]\n"
        "fdb: {static: [{vlan: 1, address: 02:00:00:00:00:01, port: c}]}\n"
        "vlans: [{id: 1, ports: [c, x]}, {id: 7, ports: [x]}]\n"
        "mirrors: [{from: [x], to: c, bridged: true}]\n",
        "next.yaml");
    EXPECT_EQ(placed(next, running), Lines{});
    EXPECT_EQ(names(next), "x - c ");
    EXPECT_EQ(next.settings.ports[0].rate.count(), 1'000'000'000);
    EXPECT_FALSE(next.settings.ports[1].enabled);
    EXPECT_EQ(next.settings.fdb.static_entries[0].port, 2);
    EXPECT_EQ(next.settings.vlan.members[1], only(PortIndex{0}) | only(PortIndex{2}));
    EXPECT_EQ(next.settings.vlan.members[7], only(PortIndex{0}));
    EXPECT_EQ(next.settings.mirrors[0].from, only(PortIndex{0}));
    EXPECT_EQ(next.settings.mirrors[0].to, 2);
    EXPECT_EQ(next.ports[0].listed, 1U) << "faults are told at its line of the file";
    EXPECT_EQ(lines_of(difference_needing_restart(running, next)), Lines{});
}

TEST(Places, AreTakenByWhoFitsThem) {
    const Configuration running = started(
        "ports: [{name: a, device: ring:a}]\n"
        "hotplug: {ports: 3}\nworkers: {count: 2}\n");
    EXPECT_EQ(names(running), "a - - ");
    const std::string like = "hotplug: {ports: 3}\nworkers: {count: 2}\n";
    Configuration next = *load_text(
        "ports: [{name: b, device: ring:b, worker: 0}, {name: a, device: ring:a},\n"
        "  {name: c, device: ring:c}]\n" +
            like,
        "next.yaml");
    EXPECT_EQ(placed(next, running), Lines{});
    EXPECT_EQ(names(next), "a c b ");
    EXPECT_EQ(next.settings.ports[1].worker, 1) << "that of its place";
    next = *load_text("ports: [{device: ring:b, worker: 0}, {device: ring:c, worker: 0}]\n" + like,
                      "next.yaml");
    EXPECT_EQ(placed(next, running),
              Lines{"next.yaml:1:38: ports[1]: no free port slot was allocated for its worker, "
                    "receive queues and format; leave these out, or restart sluiced"});
}

TEST(Places, OfPortsThatWentAreNotThereBeforeTheyAreClosed) {
    const Configuration running = started(one_port);
    Configuration next = *load_text("ports: [{device: ring:b}]\n", "next.yaml");
    EXPECT_EQ(placed(next, running),
              Lines{"next.yaml:1:9: ports[0]: all 1 port slots are in use; remove another port "
                    "first, or write a hotplug.ports above 1 and restart sluiced"});
}

TEST(Places, AreAsManyAsThereArePortsAtLeast) {
    EXPECT_EQ(faults_of(two_ports + "hotplug: {ports: 1}\n"),
              Lines{"x.yaml:2:18: hotplug.ports: there are 2 ports already; write 2 or more"});
    EXPECT_EQ(faults_of(two_ports + "hotplug: {ports: 64, devices: [tap, af_packet]}\n"), Lines{});
}

}  // namespace
}  // namespace sluice::config
