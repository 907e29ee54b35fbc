// JSON schema: the configuration's schema (config/schema.h) as a JSON Schema of draft 07, by which
// an editor completes keys, shows their help and marks errors.
//
// It assumes YAML 1.2, where `off` is a string and 02:00:00:00:00:01 is not a number. It accepts
// everything that `sluice check` accepts, except a number or a boolean in quotes. It does not check
// ranges of values with a unit, rules between keys, names of ports, and required keys of a port
// that `defaults` may contain.
#pragma once

#include "config/schema.h"
#include "tools/common/table.h"

namespace sluice::cli {

Json json_schema(const config::Key& root);

// Prints the schema, for `sluice schema`.
int print_schema();

}  // namespace sluice::cli
