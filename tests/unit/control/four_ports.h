// A configuration of four ports that lead nowhere, p0 to p3, with addresses of their own.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "config/loader.h"

namespace sluice::control {

inline constexpr PortIndex ports_of_four = 4;

inline config::Configuration four_ports(const std::string& more) {
    auto configuration = config::load_text(
        "ports: [{device: 'null:1'}, {device: 'null:2'}, {device: 'null:3'}, {device: "
        "'null:4'}]\n" +
            more,
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    for (PortIndex port = 0; port < ports_of_four; ++port) {
        configuration->settings.ports[port].address = {0x0200'0000'00A1U + port};
    }
    return *configuration;
}

}  // namespace sluice::control
