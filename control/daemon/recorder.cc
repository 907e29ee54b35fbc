// What an operator orders of the recorder of queues, and what he is told.
#include <fmt/format.h>

#include <chrono>

#include "control/daemon/daemon.h"
#include "control/show/recorder.h"

namespace sluice::control {

void Daemon::answer(const RecordRequest& request, const Reply& reply) {
    using Order = RecordRequest::Order;
    switch (request.order) {
        case Order::start:
            managers_->recorder.start_recording();
            events_.notice("recorder_began", {}, "queues are recorded");
            break;
        case Order::stop:
            managers_->recorder.stop_recording();
            events_.notice("recorder_ended", {}, "queues are not recorded any more");
            break;
        case Order::trigger:
            if (!managers_->recorder.trigger()) {
                return reply(refusal(Status::failed, {"record: nothing is recorded; `sluice record "
                                                      "start` begins"}));
            }
            break;
    }
    services_.follow_periods();
    reply(success(
        {{"recording", managers_->recorder.is_on()}, {"made", managers_->recorder.made()}}));
}

void Daemon::answer(const DumpRecordingRequest& request, const Reply& reply) {
    const auto& all = managers_->recorder.recordings();
    if (all.empty()) {
        return reply(refusal(Status::failed, {"record: there is no recording yet; `sluice record "
                                              "trigger` makes one"}));
    }
    const uint64_t number = request.recording == 0 ? all.back().number : request.recording;
    const Recording* const recording = managers_->recorder.find(number);
    if (recording == nullptr) {
        return reply(refusal(Status::wrong_input,
                             {fmt::format("recording: there is none of number {}; there are {} to "
                                          "{}",
                                          number, all.front().number, all.back().number)}));
    }
    reply(success(recording_page(*recording, request.from)));
}

}  // namespace sluice::control
