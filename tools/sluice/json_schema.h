// JSON schema: the configuration's schema (config/schema.h) as a JSON Schema of draft 07, by which
// an editor completes keys, shows what they mean and marks what is wrong while one writes.
//
// It takes YAML 1.2 for granted, where `off` is a word and 02:00:00:00:00:01 no number. What
// `sluice check` takes, it takes, but for a number or a truth in quotes. Not seen by it: ranges of
// values with a unit, rules between keys, names of ports, and what a port has to write that
// `defaults` may have written.
#pragma once

#include "config/schema.h"
#include "tools/common/table.h"

namespace sluice::cli {

Json json_schema(const config::Key& root);

// `sluice schema`: prints it.
int print_schema();

}  // namespace sluice::cli
