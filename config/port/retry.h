// Retry: checks and reads the keys of a port with link-level retry, and reports keys that
// exclude retry.
// Not done here: the buffer that a link needs.
#pragma once

#include <string_view>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice::config {

void check_retry(const Value& file, const Value& port, Report& report);
RetrySettings retry_settings(const Value& port);
// Returns the word for the action in a file.
std::string_view word_for(RetryAction action);
// Returns `replay_timer` or, if it is not written, the longest time that an acknowledgement may
// take.
Nanos replay_timer(const Value& port);
// Returns the octets of the retry header, which the device of the port must carry before each
// frame.
Bytes octets_in_front(const Value& port);

}  // namespace sluice::config
