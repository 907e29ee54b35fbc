// Interface claim: records which sluice process owns a kernel interface.
//
// Two switches on one interface would both receive its frames. So an interface is claimed before it
// is opened. The claim is a locked file (lock_file.h), /run/sluice/NAMESPACE-INTERFACE; the lock
// ends with the process, the file is removed with the claim, unless it contains a note for the next
// owner of the interface (borrowed_interface.h). If /run cannot be written, claims have no effect
// and notes are lost. For XDP programs of others on the interface see xdp/attached.h.
// Bound: notes of 1000 octets.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pmd_glue/error.h"
#include "pmd_glue/lock_file.h"

namespace sluice::pmd {

class InterfaceClaim {
  public:
    // `key`: the operator's name of the interface, for the error.
    static tl::expected<InterfaceClaim, Error> take(const std::string& key,
                                                    const std::string& interface);

    // Returns the interfaces of this network namespace whose claims have a file, by any process.
    static std::vector<std::string> left();

    InterfaceClaim() = default;  // claims nothing
    InterfaceClaim(InterfaceClaim&& other) noexcept = default;
    InterfaceClaim& operator=(InterfaceClaim&& other) noexcept;
    ~InterfaceClaim();

    // Returns the note in the claim's file; empty if there is none.
    [[nodiscard]] std::string note() const;
    void write_note(const std::string& text);

  private:
    LockFile lock_;
};

}  // namespace sluice::pmd
