// Loader: reads a YAML file into a Configuration, or reports every fault of the file.
//
// Bound: files up to 1 MiB, nesting up to 16 deep. No content of a file makes it throw.
// Not done here: opening devices. The daemon finds out whether `af_packet:veth0` exists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/configuration.h"
#include "config/yaml/document.h"
#include "config/yaml/fault.h"
#include "config/yaml/text_file.h"

namespace sluice::config {

// Loads a file. A running switch passes FileKind::regular, as it must not block on a pipe or
// device.
tl::expected<Configuration, std::vector<Fault>> load(const std::string& path, FileKind kind);
// Returns the unchanged text of a file, for another process to load.
tl::expected<std::string, std::vector<Fault>> text_of(const std::string& path, FileKind kind);

// Loads a text. Faults call the text `file_name`.
tl::expected<Configuration, std::vector<Fault>> load_text(std::string_view text,
                                                          std::string file_name);

// Loads a parsed document. Returns nothing if `report` has faults, found by this call or before.
std::optional<Configuration> configuration_of(const Node& document, Report& report);

}  // namespace sluice::config
