#include "control/daemon/configurations.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "config/loader.h"

namespace sluice::control {

namespace {

// Time for workers to adopt settings; the daemon does nothing else until then.
constexpr Nanos longest_adoption{100'000'000};

}  // namespace

Configurations::Configurations(const Parts& parts)
    : parts_(parts),
      file_(parts.publisher.running().source.file),
      startup_file_(file_, parts.publisher.running().source.text),
      confirmation_(parts.loop, [this](const auto& before) { go_back(before); }) {}

void Configurations::apply(ApplyRequest request, std::function<void(const Adopted&)> done) {
    const auto load = [text = std::move(request.text), file = request.file] {
        return config::load_text(text, file);
    };
    load_and_adopt(load, [this, request = std::move(request), done = std::move(done)](Read next) {
        if (request.number && *request.number != number_) {
            return done(tl::unexpected(StartFailure{Status::failed,
                                                    {"apply: the running configuration was changed "
                                                     "since it was read; read it again"}}));
        }
        const bool whole = request.change.empty();
        const Adopted adopted =
            adopt(std::move(next), whole ? "settings of " + request.file : request.change,
                  request.confirm_within);
        if (adopted) {
            if (whole) startup_file_.applied(parts_.publisher.running().source.text);
            if (!confirmation_.waits()) startup_file_.stays();
            wait_for_workers();
        }
        done(adopted);
    });
}

// Called before the answer is sent, so that the new settings are in effect when the client reads
// it.
void Configurations::wait_for_workers() {
    if (parts_.runtime.workers().wait_until_adopted(longest_adoption)) return;
    parts_.events.warn("adoption_late", {},
                       "a worker has not adopted the new settings: it gets no CPU time");
}

// Reads in the background, because a file's mount may answer late or never, and a capture may be
// long.
void Configurations::load_and_adopt(std::function<Loaded()> load, std::function<void(Read)> adopt) {
    std::vector<std::string> running;
    for (const auto& port : parts_.publisher.running().ports) running.push_back(port.device);
    const auto read = std::make_shared<std::optional<Read>>();
    parts_.background.run(
        [read, load = std::move(load), running = std::move(running)] {
            Read& now = read->emplace(Read{load(), {}});
            if (now.loaded) now.captures = check_captures(*now.loaded, running);
        },
        [read, adopt = std::move(adopt)] { adopt(std::move(**read)); });
}

Configurations::Adopted Configurations::adopt(Read read, const std::string& what,
                                              std::optional<std::chrono::seconds> confirm_within) {
    if (!read.loaded) {
        return tl::unexpected(StartFailure{Status::wrong_input, lines_of(read.loaded.error())});
    }
    if (!read.captures.lines.empty()) return tl::unexpected(std::move(read.captures));
    const config::Source& running = parts_.publisher.running().source;
    Confirmation::Text before{running.file, running.text};
    Adopted adopted = parts_.hotplug.take_over(std::move(*read.loaded), confirm_within.has_value());
    if (!adopted) return adopted;
    ++number_;
    confirmation_.adopted(std::move(before), confirm_within);
    parts_.events.notice("adopted", {}, fmt::format("{} adopted", config::escaped(what)));
    adopted->renamed = parts_.hotplug.follow_names();
    parts_.follow_settings();
    return adopted;
}

void Configurations::go_back(const Confirmation::Text& before) {
    const auto load = [before] { return config::load_text(before.text, before.file); };
    is_going_back_ = true;
    load_and_adopt(load, [this, file = before.file](Read read) {
        is_going_back_ = false;
        parts_.events.warn("not_confirmed", {}, "not confirmed in time; rolling back");
        startup_file_.goes_back();
        if (const Adopted adopted = adopt(std::move(read), "settings of " + file); !adopted) {
            refused(adopted);
        }
    });
}

void Configurations::read_file_again() {
    // The waiting reload reads the file when it begins, so it also reads the changes for which this
    // reload was requested.
    if (reloads_ == 2) return;
    ++reloads_;
    parts_.manager.report("RELOADING=1");
    const auto load = [file = file_] { return config::load(file, config::FileKind::regular); };
    load_and_adopt(load, [this](Read read) {
        if (const Adopted adopted = adopt(std::move(read), "settings of " + file_); adopted) {
            startup_file_.holds(parts_.publisher.running().source.text);
        } else {
            refused(adopted);
        }
        if (--reloads_ == 0) parts_.manager.report("READY=1");
    });
}

void Configurations::refused(const Adopted& adopted) {
    for (const std::string& line : adopted.error().lines) parts_.events.warn("refused", {}, line);
}

bool Configurations::confirm() {
    if (!confirmation_.confirm()) return false;
    startup_file_.stays();
    parts_.events.notice("confirmed", {}, "confirmed");
    return true;
}

Json Configurations::source() const {
    return {{"file", startup_file_.path()},
            {"known", startup_file_.known()},
            {"text", parts_.publisher.running().source.text},
            {"number", number_},
            {"to_be_confirmed", confirmation_.waits() || is_going_back_}};
}

void Configurations::saved(const std::string& text) {
    startup_file_.holds(text);
    parts_.events.notice(
        "saved", {},
        fmt::format("the running configuration is in {}", config::escaped(startup_file_.path())));
}

}  // namespace sluice::control
