// Formats: resolves a port's `format`: a preset, or a format that the file describes.
//
// `check_formats` reports every contradiction in described formats, at the key that would have to
// change, and ports that name an unknown format. A described format starts from a preset: fields,
// and parts of fields, that it does not set are those of the preset.
#pragma once

#include <optional>
#include <string_view>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/frame_format.h"

namespace sluice::config {

// Returns nothing if there is no such format, or if it could not be read.
std::optional<FrameFormat> format_named(const Value& file, std::string_view name);

void check_formats(const Value& file, Report& report);

// For messages: the name of a family's stations, an example of how to write one, and whether a
// number can be an id in the family.
std::string station_of(FormatFamily family);
std::string example_of(FormatFamily family, std::string_view address);
bool is_id(FormatFamily family, int64_t number);

}  // namespace sluice::config
