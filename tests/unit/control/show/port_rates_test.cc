#include "control/show/port_rates.h"

#include <gtest/gtest.h>

#include <array>

#include "control/show/counters.h"

namespace sluice::control {
namespace {

TEST(PortRates, are_of_two_readings) {
    PortRates rates;
    EXPECT_TRUE(rates.rates().empty());
    rates.take(std::array<PortReading, 1>{{{100, 6400, 0, 0}}}, Nanos(1'000'000'000));
    EXPECT_FALSE(rates.rates()[0]) << "there is one reading";
    rates.take(std::array<PortReading, 1>{{{1100, 70'400, 500, 32'000}}}, Nanos(3'000'000'000));
    ASSERT_TRUE(rates.rates()[0]);
    const Json shown = json_of(rates.rates()[0], BitsPerSecond(1'000'000));
    EXPECT_EQ(shown.at("rx_fps"), 500.0);
    EXPECT_EQ(shown.at("rx_bps"), 256'000.0);
    EXPECT_EQ(shown.at("tx_fps"), 250.0);
    // 500 frames a second of 64 + 24 octets.
    EXPECT_DOUBLE_EQ(shown.at("rx_share").get<double>(), 0.352);
}

TEST(PortRates, there_is_none_where_counters_began_again_or_the_link_is_unknown) {
    PortRates rates;
    rates.take(std::array<PortReading, 1>{{{100, 6400, 0, 0}}}, Nanos(1'000'000'000));
    rates.take(std::array<PortReading, 1>{{{3, 192, 0, 0}}}, Nanos(2'000'000'000));
    EXPECT_FALSE(rates.rates()[0]);
    EXPECT_TRUE(json_of({}, BitsPerSecond(1)).at("rx_bps").is_null());
    EXPECT_TRUE(json_of(PortRate{1, 64, 0, 0}, BitsPerSecond(0)).at("rx_share").is_null());
}

TEST(Counters, every_received_frame_is_in_one_of_them) {
    const Json ports = {
        {{"name", "p0"},
         {"link", "up"},
         {"rx_frames", 100},
         {"tx_frames", 40},
         {"rx_bps", 1.0},
         {"rx_share", nullptr},
         {"tx_bps", 2.0},
         {"tx_share", 0.5},
         {"device_counters", {{"missed", 7}, {"receive_errors", 5}, {"transmit_errors", 3}}}}};
    const auto drop = [](const char* reason, const char* side, int frames, bool consumed) {
        return Json{{"reason", reason},
                    {"consumed", consumed},
                    {"port", "p0"},
                    {"side", side},
                    {"frames", frames}};
    };
    const Json row = counters_of(
        ports,
        {drop("runt", "ingress", 1, false), drop("oversize", "ingress", 2, false),
         drop("vlan_filtered", "ingress", 10, false), drop("lldp", "ingress", 20, true),
         drop("wred", "egress", 4, false), drop("too_long_for_interface", "egress", 6, false)})[0];
    EXPECT_EQ(row.at("rx_ok"), 97);
    EXPECT_EQ(row.at("rx_err"), 6);
    EXPECT_EQ(row.at("rx_ovr"), 2);
    EXPECT_EQ(row.at("rx_drp"), 17);
    EXPECT_EQ(row.at("tx_ok"), 40);
    EXPECT_EQ(row.at("tx_err"), 3);
    EXPECT_EQ(row.at("tx_drp"), 4);
    EXPECT_EQ(row.at("tx_ovr"), 6);
    EXPECT_TRUE(row.at("rx_share").is_null());
}

}  // namespace
}  // namespace sluice::control
