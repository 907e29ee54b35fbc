// The recorder of queues: when it is looked at, what an operator orders of it, and what he is told.
#include <fmt/format.h>

#include <chrono>

#include "control/daemon/daemon.h"
#include "control/show/recorder.h"

namespace sluice::control {

// Workers keep eight recordings until they are taken.
void Daemon::follow_recorder() {
    using namespace std::chrono_literals;
    if (!recorder_->needs_attention()) {
        recorder_source_.reset();
    } else if (!recorder_source_) {
        recorder_source_ = loop_.every(5ms, [this] { watch_recorder(); });
    }
}

void Daemon::watch_recorder() { recorder_->proceed(); }

void Daemon::answer(const RecordRequest& request, const Reply& reply) {
    using Order = RecordRequest::Order;
    switch (request.order) {
        case Order::start:
            recorder_->start();
            events_.notice("recorder_began", {}, "queues are recorded");
            break;
        case Order::stop:
            recorder_->stop();
            events_.notice("recorder_ended", {}, "queues are not recorded any more");
            break;
        case Order::trigger:
            if (!recorder_->trigger()) {
                return reply(refusal(Status::failed, {"record: nothing is recorded; `sluice record "
                                                      "start` begins"}));
            }
            break;
    }
    follow_recorder();
    reply(success({{"recording", recorder_->is_on()}, {"made", recorder_->made()}}));
}

void Daemon::answer(const DumpRecordingRequest& request, const Reply& reply) {
    const auto& all = recorder_->recordings();
    if (all.empty()) {
        return reply(refusal(Status::failed, {"record: there is no recording yet; `sluice record "
                                              "trigger` makes one"}));
    }
    const uint64_t number = request.recording == 0 ? all.back().number : request.recording;
    const Recording* const recording = recorder_->find(number);
    if (recording == nullptr) {
        return reply(refusal(Status::wrong_input,
                             {fmt::format("recording: there is none of number {}; there are {} to "
                                          "{}",
                                          number, all.front().number, all.back().number)}));
    }
    reply(success(recording_page(*recording, request.from)));
}

}  // namespace sluice::control
