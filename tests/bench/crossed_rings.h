// Crossed rings: the ports of a switch and the ports of the hosts behind them, in one process.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "pmd_glue/device.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"

namespace sluice::bench {

// A bench that cannot be set up says why and ends.
template <class Value>
Value require(tl::expected<Value, pmd::Error> result) {
    if (!result) {
        fmt::print(stderr, "{}\n", result.error().text());
        std::exit(1);
    }
    return std::move(*result);
}

struct CrossedRings {
    using Port = pmd::Port;

    // `name`: unique in the process.
    CrossedRings(const std::string& name, std::size_t count, pmd::Pool& pool) {
        for (std::size_t port = 0; port < count; ++port) {
            const std::string ring = fmt::format("{}x{}", name, port);
            ports.push_back(open(ring + "/a", pool));
            hosts.push_back(open(ring + "/b", pool));
        }
    }

    std::vector<std::unique_ptr<pmd::Port>> ports;  // the switch's ends
    std::vector<std::unique_ptr<pmd::Port>> hosts;  // the other ends

  private:
    static std::unique_ptr<pmd::Port> open(const std::string& end, pmd::Pool& pool) {
        const pmd::PortRequest request{.name = end,
                                       .device = require(pmd::parse_device("ring:" + end))};
        return require(pmd::Port::open(request, pool));
    }
};

}  // namespace sluice::bench
