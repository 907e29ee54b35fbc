// Csig: reads the keys of congestion signalling in band (dataplane/csig/csig_tag.h), and the rules
// between them.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/csig_settings.h"

namespace sluice::config {

// TPIDs are no other protocol's, locators fit the tags, and what is written has an effect.
void check_csig(const Value& file, Report& report);

CsigSettings csig_settings(const Value& csig);
PortCsigSettings port_csig_settings(const Value& port);

}  // namespace sluice::config
