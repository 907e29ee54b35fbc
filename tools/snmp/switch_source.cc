#include "tools/snmp/switch_source.h"

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
        fail({1, {socket_ + ": sluiced does not answer"}}, false);
        return std::nullopt;
    }
    const Answer result = late_.get();
    if (!result) {
        fail(result.error(), false);
        return std::nullopt;
    }
    if (!answers_) report_(socket_ + ": sluiced answers again");
    if (!answers_) reported_.clear();
    answers_ = true;
    return *result;
}

void SwitchSource::fail(const cli::Failure& failure, bool answers) {
    constexpr std::size_t most_reported = 16;
    answers_ = answers_ && answers;
    for (const std::string& line : failure.lines) {
        if (reported_.size() < most_reported && reported_.insert(line).second) report_(line);
    }
}

}  // namespace sluice::snmp
