// PortNames: looks up the ports of a file by name, for keys that refer to a port.
//
// Not done here: checking that names are unique (validate.h); of two ports with one name the first
// is found.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

class PortNames {
  public:
    // `file` is the whole one.
    PortNames(const Value& file, Report& report) : ports_(file["ports"]), report_(report) {}

    // If no port is called this: null, and a fault unless that cannot be known.
    [[nodiscard]] const Value* find(const Value& name) const;

  private:
    // Returns false if a port whose name could not be read may be the one that is meant.
    [[nodiscard]] bool are_known() const;

    const Value& ports_;
    Report& report_;
};

}  // namespace sluice::config
