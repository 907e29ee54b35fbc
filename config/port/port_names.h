// PortNames: looks up the ports of a file by name, for keys that refer to a port.
//
// Not done here: checking that names are unique (validate.h). If two ports have one name, the first
// is found.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

class PortNames {
  public:
    // `file` must be the whole file.
    PortNames(const Value& file, Report& report) : ports_(file["ports"]), report_(report) {}

    // Returns null if no port has this name, and reports a fault unless the names have faults
    // themselves.
    [[nodiscard]] const Value* find(const Value& name) const;

  private:
    // Returns false if the name of a port could not be read, so that the wanted port may exist.
    [[nodiscard]] bool are_known() const;

    const Value& ports_;
    Report& report_;
};

}  // namespace sluice::config
