// Mirrors: rules for ports that send copies of frames that other ports receive or send; converts
// these ports to settings.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

void check_mirrors(const Value& file, const PortNames& names, Report& report);

// Reads the mirrors of a valid file.
std::vector<MirrorSettings> mirror_settings(
    const Value& file, const std::map<std::string, PortIndex, std::less<>>& indices);

}  // namespace sluice::config
