// Recorder keys: the part of the schema (schema.h) about the recorder: what it records of queues
// and groups, how often, and what triggers a recording. Used only by schema.cc.
#pragma once

#include <array>

#include "config/choices.h"
#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "dataplane/recorder/trigger.h"

namespace sluice::config::keys {

inline constexpr auto recorder_causes = words_of<RecordCause>({
    {RecordCause::hand, "hand"},
    {RecordCause::xoff, "xoff"},
    {RecordCause::drop, "drop"},
    {RecordCause::depth, "depth"},
    {RecordCause::latency, "latency"},
    {RecordCause::watchdog, "watchdog"},
});
inline constexpr std::array<Key, 1> a_recorder_cause = {
    {{.name = "trigger", .kind = Kind::choice, .choices = recorder_causes}}};

inline constexpr auto recorder_keys = std::to_array<Key>({
    key(Kind::boolean, "enabled",
        "record from start-up; `sluice record start` and `stop` change it until the next restart",
        "false"),
    key(Kind::time, "period",
        "approximate interval of samples. A worker samples at the end of a poll, and always in the "
        "first poll with frames after one without; with `workers.idle: yield` a worker without "
        "frames polls only every 60us",
        "10us", 1'000, 10'000'000),
    key(Kind::list, "triggers",
        "triggers of a recording: by hand, an XOFF sent, a frame dropped by a queue, a queue of "
        "`depth`, a timed frame that took `latency`, a pause storm",
        "[xoff, drop, depth, watchdog]", a_recorder_cause, 0, record_causes.size()) |
        Is::distinct,
    key(Kind::size, "depth",
        "octets that wait for a queue, in all its VOQs and in egress; bursts below an eighth of "
        "that are listed only if frames were dropped or marked, or an XOFF was sent",
        "32KiB", 64, int64_t{1} << 32),
    key(Kind::time, "latency",
        "what a frame takes from the poll that receives it to the one that sends it; of those that "
        "`latency.sample` times",
        "1ms", 1'000, 10'000'000'000),
    key(Kind::time, "before", "time before the trigger that is kept", "200us", 0, 1'000'000'000),
    key(Kind::time, "after",
        "time recorded after the last trigger; a recording ends at ten times this after the first",
        "1ms", 1'000, 1'000'000'000),
    key(Kind::size, "memory",
        "memory per worker while recording, divided among eight unread recordings (32 octets per "
        "queue change); half of each is for the time after the trigger",
        "4MiB", int64_t{1} << 18, int64_t{1} << 30),
    key(Kind::whole, "keep",
        "recordings that `sluiced` keeps, each of up to an eighth of `memory` for each worker",
        "32", 1, 1024),
    key(Kind::list, "ports", "names of ports: queues to these, and groups of these, are recorded",
        worked_out("all"), a_port_name, 1, max_ports) |
        Is::distinct,
    key(Kind::list, "priorities", "which priorities are recorded", worked_out("all"), a_priority, 1,
        max_priorities) |
        Is::distinct,
});

}  // namespace sluice::config::keys
