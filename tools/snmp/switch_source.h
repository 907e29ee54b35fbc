// SwitchSource: queries a running switch through its socket, with one connection for each request.
// Reports once when the switch stops answering, and once when it answers again.
//
// Bound: a query waits for `patience`. A thread then waits longer for the late answer, as long as a
// Client does; until the answer arrives, other queries fail at once, so that not every SNMP request
// has to wait.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tools/sluice/client.h"

namespace sluice::snmp {

class SwitchSource {
  public:
    using Report = std::function<void(std::string_view line)>;

    // Below snmpd's timeout of a second.
    static constexpr std::chrono::milliseconds patience{700};

    SwitchSource(std::string socket, Report report)
        : socket_(std::move(socket)), report_(std::move(report)) {}

    // Returns the `result`; nothing if the switch does not answer, or refuses.
    std::optional<cli::Json> ask(const cli::Json& request);

  private:
    using Answer = tl::expected<cli::Json, cli::Failure>;

    void fail(const cli::Failure& failure);

    std::string socket_;
    Report report_;
    std::future<Answer> late_;
    bool answers_ = true;
    std::set<std::string> reported_;
};

}  // namespace sluice::snmp
