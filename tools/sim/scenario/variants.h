// Variants: networks in one file that differ in some values.
//
//   variants:
//     lossy: {}
//     pfc: {"switch.defaults.lossless": [3], "flows[0].ecn": false}
//   variant: pfc
// The values of the variant that `variant` names replace the file's, each by its path as in an
// override (override.h); overrides replace both. Without `variant` no values are replaced. `--sweep
// variant=lossy,pfc` compares variants in one table and one page. A fault in a value is reported at
// its own line. Only the names of other variants are read.
// Bound: 64 variants.
#pragma once

#include "config/yaml/document.h"
#include "config/yaml/fault.h"

namespace sluice::sim {

void use_variant(config::Node& document, config::Report& report);

}  // namespace sluice::sim
