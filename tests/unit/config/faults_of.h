// The faults of a text, one a line, as if it stood in `x.yaml`.
#pragma once

#include <string>
#include <vector>

#include "config/loader.h"

namespace sluice::config {

using Lines = std::vector<std::string>;

inline Lines faults_of(std::string_view text) {
    const auto loaded = load_text(text, "x.yaml");
    return loaded ? Lines{} : lines_of(loaded.error());
}

// Line 1 of a text that needs ports, but is about something else.
inline const std::string one_port = "ports: [{device: ring:a}]\n";
inline const std::string two_ports = "ports: [{device: ring:a}, {device: ring:b}]\n";

}  // namespace sluice::config
