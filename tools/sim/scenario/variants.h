// Variants: networks that differ in some values, in one file.
//
//   variants:
//     lossy: {}
//     pfc: {"switch.defaults.lossless": [3], "flows[0].ecn": false}
//   variant: pfc
// The values of the one that `variant` names go before what else the file says, each by its path as
// an override's (override.h), and after the file's come overrides; without `variant` the file is
// what it is without them. So `--sweep variant=lossy,pfc` compares them in one table and one page.
// A fault in a value has its own line. Of the others only the names are read.
// Bound: 64 variants.
#pragma once

#include "config/yaml/document.h"
#include "config/yaml/fault.h"

namespace sluice::sim {

void use_variant(config::Node& document, config::Report& report);

}  // namespace sluice::sim
