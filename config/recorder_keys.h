// Recorder keys: the part of the schema (schema.h) about the recorder: what it records of queues
// and groups, how often, and what triggers a recording. Used only by schema.cc.
#pragma once

#include <array>

#include "config/choices.h"
#include "config/port/key_parts.h"
#include "config/schema.h"
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
    {.name = "enabled",
     .kind = Kind::boolean,
     .help =
         "record from start-up; `sluice record start` and `stop` change it until the next restart",
     .fallback = "false"},
    {.name = "period",
     .kind = Kind::time,
     .help = "approximate interval of samples. A worker samples at the end of a poll, and always "
             "in the first poll with frames after one without; with `workers.idle: yield` a worker "
             "without frames polls only every 60us",
     .fallback = "10us",
     .lowest = 1'000,
     .highest = 10'000'000},
    {.name = "triggers",
     .kind = Kind::list,
     .help = "triggers of a recording: by hand, an XOFF sent, a frame dropped by a queue, a queue "
             "of `depth`, a timed frame that took `latency`, a pause storm",
     .fallback = "[xoff, drop, depth, watchdog]",
     .inside = a_recorder_cause,
     .most = record_causes.size(),
     .distinct = true},
    {.name = "depth",
     .kind = Kind::size,
     .help = "octets that wait for a queue, in all VOQs and behind them; bursts of less than an "
             "eighth of that are not listed unless they cost something",
     .fallback = "32KiB",
     .lowest = 64,
     .highest = int64_t{1} << 32},
    {.name = "latency",
     .kind = Kind::time,
     .help = "what a frame takes from the poll that receives it to the one that sends it; of those "
             "that `latency.sample` times",
     .fallback = "1ms",
     .lowest = 1'000,
     .highest = 10'000'000'000},
    {.name = "before",
     .kind = Kind::time,
     .help = "time before the trigger that is kept",
     .fallback = "200us",
     .lowest = 0,
     .highest = 1'000'000'000},
    {.name = "after",
     .kind = Kind::time,
     .help =
         "time recorded after the last trigger; a recording ends at ten times this after the first",
     .fallback = "1ms",
     .lowest = 1'000,
     .highest = 1'000'000'000},
    {.name = "memory",
     .kind = Kind::size,
     .help = "memory per worker while recording, divided among eight unread recordings (32 octets "
             "per queue change); half of each is for the time after the trigger",
     .fallback = "4MiB",
     .lowest = int64_t{1} << 18,
     .highest = int64_t{1} << 30},
    {.name = "keep",
     .kind = Kind::whole,
     .help = "recordings that `sluiced` keeps, each of up to an eighth of `memory` for each worker",
     .fallback = "32",
     .lowest = 1,
     .highest = 1024},
    {.name = "ports",
     .kind = Kind::list,
     .help = "names of ports: queues to these, and groups of these, are recorded",
     .worked_out = "all",
     .inside = a_port_name,
     .fewest = 1,
     .most = max_ports,
     .distinct = true},
    {.name = "priorities",
     .kind = Kind::list,
     .help = "which priorities are recorded",
     .worked_out = "all",
     .inside = a_priority,
     .fewest = 1,
     .most = max_priorities,
     .distinct = true},
});

}  // namespace sluice::config::keys
