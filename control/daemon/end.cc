// The end of a switch: the notifications while its workers drain, the state that is saved, and the
// objects that are closed, each step within its time.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "control/daemon/daemon.h"
#include "control/runtime/deadline.h"
#include "dataplane/ledger.h"

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

constexpr auto put_away_limit = 10s;

std::string text_of(const Ledger& sum) {
    return fmt::format(
        "{} received + {} copied + {} generated = {} sent + {} dropped + {} waiting: {}",
        sum.received, sum.copied, sum.generated, sum.sent, sum.dropped, sum.waiting,
        sum.balanced() ? "balanced" : "DOES NOT BALANCE");
}

[[noreturn]] void end_at_once() {
    spdlog::shutdown();
    std::fflush(stdout);  // output of a program that contains the switch
    std::_Exit(EXIT_FAILURE);
}

}  // namespace

void Daemon::stop() {
    if (!std::exchange(running_, false)) return;
    events_.notice("stopping", {}, "receiving ended; draining");
    switch_->list.stop();
    const std::vector<std::string>& running = runtime_->not_ended();
    for (const std::string& line : running) spdlog::error("{}", line);
    spdlog::info("ledger: {}", text_of(ledger_of(runtime_->dataplane())));
    if (!running.empty()) leave("its workers run");
    Deadline deadline(put_away_limit, [this](const std::string& under_way) {
        leave(fmt::format("{} has not been written for {}", under_way, put_away_limit));
    });
    deadline.at(switch_->running().control.state);
    switch_->state.keep_at_the_end(runtime_->clock().now());
    if (const std::string failed = runtime_->keep_proofs(); !failed.empty()) {
        events_.warn("proof_not_kept", {}, failed);
    }
}

Daemon::~Daemon() {
    stop();
    sources_.clear();
    if (switch_) switch_->list.halt();
    front_ends_.close();
    if (!runtime_) return;
    Deadline deadline(put_away_limit, [this](const std::string& under_way) {
        leave(fmt::format("{} has not closed for {}", under_way, put_away_limit));
    });
    deadline.at("control");
    switch_.reset();
    runtime_->put_away(deadline);
    const Deadline for_files(put_away_limit, [](const std::string&) {
        spdlog::error("a file has not been read or written for {}: exiting without waiting for it",
                      put_away_limit);
        end_at_once();
    });
    background_.reset();
}

// Ends the process. May run on any thread, provided that control's thread no longer uses the
// switch.
void Daemon::leave(const std::string& why) {
    for (const std::string& line : why_not_started_) spdlog::error("{}", line);
    spdlog::error("{}: exiting without closing devices", why);
    front_ends_.api.reset();
    runtime_->abandon();
    end_at_once();
}

}  // namespace sluice::control
