// Formats: what a port's `format` means: a preset, or one that the file describes.
//
// `check_formats` reports every contradiction of every described format, at the key that would have
// to change, and ports that name an unknown format. A format is described from its preset on: what
// it does not write it takes from there, of a field each of its parts.
#pragma once

#include <optional>
#include <string_view>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/frame_format.h"

namespace sluice::config {

// Nothing if there is none, or if it could not be read.
std::optional<FrameFormat> format_named(const Value& file, std::string_view name);

void check_formats(const Value& file, Report& report);

// What messages call the stations of a family, and what is written of one; whether a number may be
// an id there.
std::string station_of(FormatFamily family);
std::string example_of(FormatFamily family, std::string_view address);
bool is_id(FormatFamily family, int64_t number);

}  // namespace sluice::config
