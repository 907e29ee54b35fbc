// Requests that operate the recorder of queues, and their answers.
#include <fmt/format.h>

#include "control/daemon/requests.h"
#include "control/show/recorder.h"

namespace sluice::control {

void Requests::answer(const RecordRequest& request, const Reply& reply) {
    using Order = RecordRequest::Order;
    switch (request.order) {
        case Order::start:
            parts_.services.managers.recorder.start_recording();
            parts_.events.notice("recorder_began", {}, "queues are recorded");
            break;
        case Order::stop:
            parts_.services.managers.recorder.stop_recording();
            parts_.events.notice("recorder_ended", {}, "recording of queues stopped");
            break;
        case Order::trigger:
            if (!parts_.services.managers.recorder.trigger()) {
                return reply(refusal(Status::failed, {"record: nothing is recorded; `sluice record "
                                                      "start` begins"}));
            }
            break;
    }
    parts_.services.list.follow_periods();
    reply(success({{"recording", parts_.services.managers.recorder.is_on()},
                   {"made", parts_.services.managers.recorder.made()}}));
}

void Requests::answer(const DumpRecordingRequest& request, const Reply& reply) {
    const auto& all = parts_.services.managers.recorder.recordings();
    if (all.empty()) {
        return reply(refusal(Status::failed, {"record: there is no recording yet; `sluice record "
                                              "trigger` makes one"}));
    }
    const uint64_t number = request.recording == 0 ? all.back().number : request.recording;
    const Recording* const recording = parts_.services.managers.recorder.find(number);
    if (recording == nullptr) {
        return reply(refusal(Status::wrong_input,
                             {fmt::format("recording: no number {}; numbers are {} to {}", number,
                                          all.front().number, all.back().number)}));
    }
    reply(success(recording_page(*recording, request.from)));
}

}  // namespace sluice::control
