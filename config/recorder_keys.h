// Recorder keys: the part of the schema (schema.h) about the recorder: what is recorded of queues
// and groups, how often, and what triggers a recording. For schema.cc alone.
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
     .help = "record from the start; `sluice record start` and `stop` do the same until then",
     .fallback = "false"},
    {.name = "period",
     .kind = Kind::time,
     .help =
         "about how far samples are apart. A worker samples at the end of a poll, and the first "
         "one that frames come in whatever the period; with `workers.idle: yield` one without "
         "frames polls every 60us only",
     .fallback = "10us",
     .lowest = 1'000,
     .highest = 10'000'000},
    {.name = "triggers",
     .kind = Kind::list,
     .help = "what makes a recording: by hand, an XOFF that is sent, a frame that a queue drops, a "
             "queue of `depth`, a timed frame that took `latency`, a pause storm",
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
     .help = "what of the time before a trigger is kept",
     .fallback = "200us",
     .lowest = 0,
     .highest = 1'000'000'000},
    {.name = "after",
     .kind = Kind::time,
     .help = "how long a recording goes on behind its last trigger, of the first no more than "
             "ten times",
     .fallback = "1ms",
     .lowest = 1'000,
     .highest = 1'000'000'000},
    {.name = "memory",
     .kind = Kind::size,
     .help = "of each worker, while it records: eight recordings that control has not read, 32 "
             "octets for each change of a queue. What comes after a trigger has half of one",
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
