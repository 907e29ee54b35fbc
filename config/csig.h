// Csig: reads the keys of CSIG, in-band congestion signalling (dataplane/csig/csig_tag.h), and
// checks the rules between them.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/csig_settings.h"

namespace sluice::config {

// Checks that no TPID is another protocol's, that locators fit the tags, and that each written key
// has an effect.
void check_csig(const Value& file, Report& report);

CsigSettings csig_settings(const Value& csig);
PortCsigSettings port_csig_settings(const Value& port);

}  // namespace sluice::config
