#include "config/schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "config/reference.h"
#include "config/yaml/document.h"
#include "config/yaml/reader.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

std::string readme() {
    std::ifstream file(CONFIG_FOLDER "/README.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Schema, IsInTheReadmeRowByRow) {
    const std::string text = readme();
    std::istringstream rows(reference());
    std::string row;
    std::size_t count = 0;
    while (std::getline(rows, row)) {
        EXPECT_NE(text.find(row + '\n'), std::string::npos) << "README.md lacks this row:\n" << row;
        ++count;
    }
    EXPECT_GT(count, 40U);
}

TEST(Schema, HasARowInTheReadmeForNothingElse) {
    const std::string rows = reference();
    std::istringstream text(readme());
    std::string line;
    bool in_table = false;
    while (std::getline(text, line)) {
        if (line.starts_with("| key |")) in_table = true;
        if (!line.starts_with('|')) in_table = false;
        if (!in_table) continue;
        EXPECT_NE(rows.find(line + '\n'), std::string::npos) << "not a key any more:\n" << line;
    }
}

void expect_sound(const Key& map) {
    std::set<std::string_view> names;
    for (const Key& key : map.inside) {
        EXPECT_TRUE(names.insert(key.name).second) << key.name << " stands twice in " << map.name;
        EXPECT_FALSE(key.help.empty()) << key.name;
        EXPECT_LE(key.lowest, key.highest) << key.name;
        const bool has_fallback = !key.fallback.empty() || !key.worked_out.empty();
        EXPECT_NE(key.required || key.kind == Kind::map, has_fallback) << key.name;
        if (key.kind == Kind::map) expect_sound(key);
        if (const Key* element = element_map(key)) expect_sound(*element);
    }
}

TEST(Schema, HasForEachKeyAHelpAndEitherADefaultOrARequirement) { expect_sound(schema()); }

// Returns the sources, without the rows themselves.
std::string sources() {
    std::ostringstream text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(CONFIG_FOLDER)) {
        const std::string name = entry.path().filename();
        if (entry.path().extension() != ".cc" || name == "schema.cc") continue;
        text << std::ifstream(entry.path()).rdbuf();
    }
    return text.str();
}

void expect_read(const Key& map, const std::string& by) {
    for (const Key& key : map.inside) {
        if (key.name == "wrr" || key.name == "dwrr") continue;  // read as what `scheduler` holds
        EXPECT_NE(by.find('"' + std::string(key.name) + '"'), std::string::npos)
            << "nobody in config/ reads `" << key.name << "`, so it is accepted without effect: "
            << "read it where its subject is (schema.h says how to add a key)";
        if (key.kind == Kind::map) expect_read(key, by);
        if (const Key* element = element_map(key)) expect_read(*element, by);
    }
}

TEST(Schema, HasNoKeyThatNobodyReads) { expect_read(schema(), sources()); }

// A default is read like any text, so it must be right by its own key's rules.
void expect_valid(const Value& value) {
    EXPECT_TRUE(value.valid) << value.path;
    for (const Value& item : value.items) expect_valid(item);
}

TEST(Schema, HasDefaultsThatAreRight) {
    Report report("x.yaml");
    const auto document = read_document("ports: [{device: ring:a}]", report);
    expect_valid(read_values(*document, report));
    EXPECT_TRUE(report.clean());
}

// settings.h documents defaults, the schema decides them: they must not drift apart. Headroom is
// worked out.
TEST(Schema, AgreesWithTheDataplanesDefaults) {
    const auto loaded = load_text(one_port, "x.yaml");
    ASSERT_TRUE(loaded.has_value());
    const Settings& read = loaded->settings;
    const Settings own;
    const PortSettings port;
    EXPECT_EQ(read.workers, own.workers);
    EXPECT_EQ(read.buffer.size, own.buffer.size);
    EXPECT_EQ(read.buffer.cell, own.buffer.cell);
    EXPECT_EQ(read.buffer.reserved, own.buffer.reserved);
    EXPECT_EQ(read.buffer.alpha_128, own.buffer.alpha_128);
    EXPECT_EQ(read.fabric.iterations, own.fabric.iterations);
    EXPECT_EQ(read.fabric.quantum, own.fabric.quantum);
    EXPECT_EQ(read.fabric.bypass, own.fabric.bypass);
    EXPECT_EQ(read.fabric.slots, own.fabric.slots);
    EXPECT_EQ(read.fabric.rule, own.fabric.rule);
    EXPECT_EQ(read.fabric.weight, own.fabric.weight);
    EXPECT_EQ(read.fdb.capacity, own.fdb.capacity);
    EXPECT_EQ(read.fdb.ageing, own.fdb.ageing);
    EXPECT_EQ(read.vlan.filtering, own.vlan.filtering);
    ASSERT_EQ(read.ports.size(), 1U);
    EXPECT_EQ(read.ports[0].worker, port.worker);
    EXPECT_EQ(read.ports[0].speed, port.speed);
    EXPECT_EQ(read.ports[0].rate, port.rate);
    EXPECT_EQ(read.ports[0].max_frame, port.max_frame);
    EXPECT_EQ(read.ports[0].default_vlan, port.default_vlan);
    EXPECT_EQ(read.ports[0].classify.order, port.classify.order);
    EXPECT_EQ(read.ports[0].classify.pcp_to_priority, port.classify.pcp_to_priority);
    EXPECT_EQ(read.ports[0].classify.dscp_to_priority, port.classify.dscp_to_priority);
    EXPECT_EQ(read.ports[0].classify.default_priority, port.classify.default_priority);
    EXPECT_EQ(read.ports[0].scheduler.discipline, port.scheduler.discipline);
    EXPECT_EQ(read.ports[0].scheduler.weight, port.scheduler.weight);
    EXPECT_EQ(read.ports[0].scheduler.traffic_class, port.scheduler.traffic_class);
    EXPECT_EQ(read.ports[0].classify.application_count, 0);
    EXPECT_EQ(read.ports[0].pfc.lossless, port.pfc.lossless);
    EXPECT_EQ(read.ports[0].pfc.xoff, port.pfc.xoff);
    EXPECT_EQ(read.ports[0].pfc.xon, port.pfc.xon);
    EXPECT_EQ(read.ports[0].pfc.pause, port.pfc.pause);
    EXPECT_EQ(read.ports[0].pfc.trigger, port.pfc.trigger);
    EXPECT_EQ(read.ports[0].pfc.reserved, port.pfc.reserved);
    EXPECT_EQ(read.ports[0].pfc.alpha_128, port.pfc.alpha_128);
    EXPECT_EQ(read.ports[0].pfc.xon_offset, port.pfc.xon_offset);
    EXPECT_EQ(read.ports[0].pfc.peers, port.pfc.peers);
    EXPECT_EQ(read.ports[0].pfc.link_pause, port.pfc.link_pause);
    EXPECT_EQ(read.ports[0].pfc.rx_limit, port.pfc.rx_limit);
    EXPECT_EQ(read.ports[0].pfc.tx_limit, port.pfc.tx_limit);
    EXPECT_EQ(read.ports[0].pfc.watchdog.action, port.pfc.watchdog.action);
    EXPECT_EQ(read.ports[0].pfc.watchdog.detection, port.pfc.watchdog.detection);
    EXPECT_EQ(read.ports[0].pfc.watchdog.restoration, port.pfc.watchdog.restoration);
    EXPECT_EQ(read.ports[0].pfc.watchdog.longest_restoration,
              port.pfc.watchdog.longest_restoration);
    EXPECT_EQ(read.ports[0].pfc.watchdog.poll, port.pfc.watchdog.poll);
    EXPECT_EQ(read.ports[0].ecn[3].high, port.ecn[3].high);
    EXPECT_EQ(read.seed, own.seed);
}

}  // namespace
}  // namespace sluice::config
