// SwitchSource: queries a running switch by its socket, one connection a request, and reports once
// when the switch stops answering and when it answers again.
//
// Bound: a query waits `patience`. A thread waits for longer answers, as long as a Client does, and
// meanwhile nothing else is queried, so that not every SNMP request has to wait.
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

    // snmpd gives up after a second.
    static constexpr std::chrono::milliseconds patience{700};

    SwitchSource(std::string socket, Report report)
        : socket_(std::move(socket)), report_(std::move(report)) {}

    // The `result`; none: the switch does not answer, or refuses.
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
