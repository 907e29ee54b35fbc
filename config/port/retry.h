// Retry: rules of a port with link-level retry, what it cannot go with, and its settings.
// Not done here: how much buffer a link needs.
#pragma once

#include <string_view>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice::config {

void check_retry(const Value& file, const Value& port, Report& report);
RetrySettings retry_settings(const Value& port);
// As it is written.
std::string_view word_for(RetryAction action);
// As it is written, or by how long an acknowledgement may take.
Nanos replay_timer(const Value& port);
// Octets that go before a frame of the port, which its device is to take besides.
Bytes octets_in_front(const Value& port);

}  // namespace sluice::config
