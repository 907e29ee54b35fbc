#include "pmd_glue/nic/driver_table.h"

#include <gtest/gtest.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace sluice::pmd::nic {
namespace {

std::string receive_ability_of(const DriverRow& row) {
    switch (row.pause_reception) {
        case PauseReception::always:
            return "yes";
        case PauseReception::forwarded:
            return "by source, with flow control off and forwarding on";
        case PauseReception::rx_all:
            return "by source, with `rx-all` on";
        case PauseReception::open:
            return "open: " + std::string(row.pause_reception_why);
        case PauseReception::never:
            return "no: " + std::string(row.pause_reception_why);
    }
    return {};
}

std::string stopped(const PrivateFlag& flag) {
    return "`" + std::string(flag.name) + (flag.stops ? " on`" : " off`");
}

std::string sending_of(const DriverRow& row) {
    switch (row.pause_transmission) {
        case PauseTransmission::always:
            return "yes";
        case PauseTransmission::unfiltered:
            return "by source";
        case PauseTransmission::by_priority:
            return "by source, by a socket of priority 7 and with " + stopped(row.flag);
        case PauseTransmission::open:
            return "open: " + std::string(row.pause_transmission_why);
        case PauseTransmission::never:
            return "no: " + std::string(row.pause_transmission_why);
    }
    return {};
}

std::string lldp_of(const DriverRow& row) {
    switch (row.agent) {
        case LldpAgent::none:
            return "yes";
        case LldpAgent::of_old_firmware:
            return "yes, but: " + std::string(row.agent_why);
        case LldpAgent::private_flag:
            return "with " + stopped(row.flag);
        case LldpAgent::open:
            return "open: " + std::string(row.agent_why);
    }
    return {};
}

std::string page() {
    std::ifstream file(CONFIG_FOLDER "/nics.md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// nics.md and the table have the same values for each driver.
TEST(DriverTable, IsWhatThePageForUsersSays) {
    const std::string text = page();
    for (const auto table : {ethdev_drivers(), kernel_drivers()}) {
        for (const DriverRow& row : table) {
            const std::string line = "\n| `" + std::string(row.name) + "` | " +
                                     receive_ability_of(row) + " | " + sending_of(row) + " | " +
                                     lldp_of(row) + " | " + std::string(row.source) + " |\n";
            EXPECT_NE(text.find(line), std::string::npos) << line;
        }
    }
}

TEST(DriverTable, IsWhatThatPageSaysOfQueuesForPauses) {
    std::string list;
    for (const auto table : {ethdev_drivers(), kernel_drivers()}) {
        for (const DriverRow& row : table) {
            if (!row.has_pause_queue) continue;
            list += (list.empty() ? "`" : ", `") + std::string(row.name) + "`";
        }
    }
    const std::string text = page();
    EXPECT_NE(text.find("\nOf their own with: " + list + ".\n"), std::string::npos) << list;
}

// With the release of DPDK that the queues need.
TEST(DriverTable, IsWhatThatPageSaysOfQueuesThatPause) {
    const std::string text = page();
    for (const DriverRow& row : ethdev_drivers()) {
        if (row.queues_source.empty()) continue;
        const std::string end = " | " + std::to_string(row.queues_since.year) + "." +
                                std::to_string(row.queues_since.month) + " | " +
                                std::string(row.queues_source) + " |\n";
        const std::size_t at = text.find(end);
        ASSERT_NE(at, std::string::npos) << end;
        const std::string begin = "\n| `" + std::string(row.name) + "` | ";
        // Drivers of one family share a source.
        const std::size_t line = text.find(begin, text.find("## Pauses by the NIC"));
        ASSERT_NE(line, std::string::npos) << begin;
        EXPECT_NE(text.substr(line, text.find('\n', line + 1) + 1 - line).find(end),
                  std::string::npos)
            << row.name;
    }
}

TEST(DriverTable, HasARowADriverWithASourceAndReasons) {
    for (const auto table : {ethdev_drivers(), kernel_drivers()}) {
        std::set<std::string_view> names;
        for (const DriverRow& row : table) {
            EXPECT_TRUE(names.insert(row.name).second) << row.name;
            EXPECT_EQ(&row_of(table, row.name), &row);
            EXPECT_FALSE(row.source.empty()) << row.name;
            EXPECT_EQ(row.pause_reception_why.empty(),
                      row.pause_reception != PauseReception::open &&
                          row.pause_reception != PauseReception::never)
                << row.name;
            EXPECT_EQ(row.pause_transmission_why.empty(),
                      row.pause_transmission != PauseTransmission::open &&
                          row.pause_transmission != PauseTransmission::never)
                << row.name;
            EXPECT_EQ(row.agent_why.empty(), row.agent == LldpAgent::none) << row.name;
            EXPECT_EQ(row.flag.name.empty(), row.agent != LldpAgent::private_flag) << row.name;
            EXPECT_TRUE(row.pause_transmission != PauseTransmission::by_priority ||
                        row.agent == LldpAgent::private_flag);
            EXPECT_FALSE(row.has_pause_queue && row.pause_transmission == PauseTransmission::never)
                << row.name;
        }
    }
}

TEST(DriverTable, OfADriverWithoutARowNothingIsKnown) {
    for (const char* name : {"", "net_of_tomorrow", "net_ixgb"}) {
        const DriverRow& row = row_of(ethdev_drivers(), name);
        EXPECT_EQ(row.pause_reception, PauseReception::open) << name;
        EXPECT_EQ(row.pause_transmission, PauseTransmission::open) << name;
        EXPECT_EQ(row.agent, LldpAgent::open) << name;
        EXPECT_FALSE(row.pause_reception_why.empty() || row.pause_transmission_why.empty() ||
                     row.agent_why.empty());
    }
}

}  // namespace
}  // namespace sluice::pmd::nic
