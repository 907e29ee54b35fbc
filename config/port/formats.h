// Formats: resolves a port's `format`: a preset, or a format described in the file.
//
// `check_formats` reports every contradiction in described formats, at the key that would have to
// change, and ports that name an unknown format. A described format is based on a preset: fields,
// and parts of fields, that it does not set are those of the preset.
#pragma once

#include <optional>
#include <string_view>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/frame_format.h"

namespace sluice::config {

// Returns nothing if there is no such format, or if its description has faults.
std::optional<FrameFormat> format_named(const Value& file, std::string_view name);

void check_formats(const Value& file, Report& report);

// For messages: the noun for a station's address in the family, an example of one, and whether a
// number can be an id in the family.
std::string station_of(FormatFamily family);
std::string example_of(FormatFamily family, std::string_view address);
bool is_id(FormatFamily family, int64_t number);

}  // namespace sluice::config
