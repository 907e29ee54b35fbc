// Variants: networks that differ in some values, in one file.
//
//   variants:
//     lossy: {}
//     pfc: {"switch.defaults.lossless": [3], "flows[0].ecn": false}
//   variant: pfc
// The values of the variant that `variant` names replace the file's, each by its path as in an
// override (override.h); overrides replace both. Without `variant` no values are replaced. So
// `--sweep variant=lossy,pfc` compares them in one table and one page. A fault in a value is
// reported at its own line. Of other variants only the names are read.
// Bound: 64 variants.
#pragma once

#include "config/yaml/document.h"
#include "config/yaml/fault.h"

namespace sluice::sim {

void use_variant(config::Node& document, config::Report& report);

}  // namespace sluice::sim
