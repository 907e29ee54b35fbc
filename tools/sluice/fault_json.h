// Fault JSON: the result of a command with --json: an object with `ok` and `faults`, and the
// command's further results, such as the differences between two configurations. README.md has the
// keys.
//
// A fault of sluiced is a line of text; if it has the form of config/yaml/fault.h it is split into
// keys; otherwise the whole line is the `message`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/changes.h"
#include "config/yaml/fault.h"
#include "tools/sluice/reply.h"

namespace sluice::cli {

// Returns `file, line, column, path, message, remedy`; null for those that the fault lacks.
Json fault_json(const config::Fault& fault);
Json faults_json(const std::vector<config::Fault>& faults);
// `file`: the file that the user named.
Json faults_json(const std::vector<std::string>& lines, std::string_view file);

// Returns changes as JSON. Each has `key`, the old value under the name `from`, and the new value
// under the name `to`; null means the default.
Json changes_json(const std::vector<config::Change>& changes, const char* from, const char* to);
void print_changes(const std::vector<config::Change>& changes);

// Prints the outcome with `ok` and `faults`. Returns the exit status.
int print_outcome(Json outcome, Json faults, int status);
// Prints a failure: as JSON, or its lines on standard error.
int print_failure(const Failure& failure, bool json, std::string_view file = {});
int print_faults(const std::vector<config::Fault>& faults, bool json, int status = 2);

}  // namespace sluice::cli
