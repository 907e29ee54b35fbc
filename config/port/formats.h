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
#include "dataplane/frame_format.h"

namespace sluice::config {

// Nothing if there is none, or if it could not be read.
std::optional<FrameFormat> format_named(const Value& file, std::string_view name);

void check_formats(const Value& file, Report& report);

}  // namespace sluice::config
