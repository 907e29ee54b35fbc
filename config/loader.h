// Loader: from a YAML file to a Configuration, or to every fault that the file has.
//
// Bound: files up to 1 MiB, nesting up to 16 deep. Never throws for what a file may contain.
// Not done here: opening devices. Whether `af_packet:veth0` exists is for the daemon to find out.
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

// Loads a file. A running switch must not wait for a file, and passes FileKind::regular.
tl::expected<Configuration, std::vector<Fault>> load(const std::string& path, FileKind kind);
// The file as it is, for another to load.
tl::expected<std::string, std::vector<Fault>> text_of(const std::string& path, FileKind kind);

// `file_name` is what the faults call the text.
tl::expected<Configuration, std::vector<Fault>> load_text(std::string_view text,
                                                          std::string file_name);

// The same for a document from any source. Empty: `report` has faults, found here or before.
std::optional<Configuration> configuration_of(const Node& document, Report& report);

}  // namespace sluice::config
