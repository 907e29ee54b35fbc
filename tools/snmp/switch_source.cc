#include "tools/snmp/switch_source.h"

#include <utility>

namespace sluice::snmp {

std::optional<cli::Json> SwitchSource::ask(const cli::Json& request) {
    using namespace std::chrono_literals;
    if (late_.valid() && late_.wait_for(0s) != std::future_status::ready) return std::nullopt;
    late_ = std::async(std::launch::async, [path = socket_, request]() -> Answer {
        auto client = cli::Client::connect(path);
        if (!client) return tl::unexpected(std::move(client.error()));
        return client->ask(request);
    });
    if (late_.wait_for(patience) != std::future_status::ready) {
        fail({1, {socket_ + ": sluiced does not answer"}});
        return std::nullopt;
    }
    const Answer result = late_.get();
    if (!result) {
        fail(result.error());
        return std::nullopt;
    }
    if (!std::exchange(answers_, true)) {
        report_(socket_ + ": sluiced answers again");
        reported_.clear();
    }
    return std::make_optional(*result);
}

void SwitchSource::fail(const cli::Failure& failure) {
    constexpr std::size_t most_reported = 16;
    answers_ = false;
    for (const std::string& line : failure.lines) {
        if (reported_.size() < most_reported && reported_.insert(line).second) report_(line);
    }
}

}  // namespace sluice::snmp
