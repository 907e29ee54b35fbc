#include "control/daemon/telemetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "control/show/telemetry_answers.h"

namespace sluice::control {

namespace {

constexpr std::chrono::seconds period{1};

pmd::TelemetryReply reply_of(const Json& answer) {
    if (answer.is_array()) return answer.get<std::vector<std::string>>();
    pmd::TelemetryTable table;
    for (const auto& [name, value] : answer.items()) {
        if (value.is_string()) {
            table.emplace_back(name, value.get<std::string>());
        } else {
            table.emplace_back(name, value.get<uint64_t>());
        }
    }
    return table;
}

}  // namespace

tl::expected<std::unique_ptr<Telemetry>, std::string> Telemetry::start(
    Loop& loop, std::function<Json(std::string_view noun)> show) {
    std::unique_ptr<Telemetry> made(new Telemetry(std::move(show)));
    made->look();
    std::vector<pmd::TelemetryCommand> commands;
    for (const TelemetryNoun& about : telemetry_nouns()) {
        commands.push_back({std::string(about.command), std::string(about.help)});
    }
    auto socket = pmd::Telemetry::start(
        commands, [self = made.get()](std::string_view command, std::string_view parameters) {
            return self->answer(command, parameters);
        });
    if (!socket) {
        const pmd::Error& error = socket.error();
        return tl::unexpected(fmt::format("{}: {}; {}", error.key, error.what, error.remedy));
    }
    made->socket_ = std::move(*socket);
    made->timer_ = loop.every(period, [self = made.get()] { self->look(); });
    return made;
}

void Telemetry::look() {
    auto shown = std::make_shared<Shown>();
    for (const TelemetryNoun& about : telemetry_nouns()) {
        if (!shown->contains(about.noun)) shown->emplace(about.noun, show_(about.noun));
    }
    std::shared_ptr<const Shown> next = std::move(shown);
    const std::scoped_lock alone(change_);
    shown_.swap(next);
}

pmd::TelemetryReply Telemetry::answer(std::string_view command, std::string_view parameters) {
    const auto about = std::ranges::find(telemetry_nouns(), command, &TelemetryNoun::command);
    const auto shown = [this] {
        const std::scoped_lock alone(change_);
        return shown_;
    }();
    return reply_of(telemetry_answer(*about, shown->find(about->noun)->second, parameters));
}

}  // namespace sluice::control
