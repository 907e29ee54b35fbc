// Interface claim: whose a kernel interface is, as far as sluice processes go.
//
// Two switches on one interface would both take its frames. So an interface is claimed before it is
// opened. The claim is a locked file (lock_file.h), /run/sluice/NAMESPACE-INTERFACE; the lock ends
// with the process, the file with the claim, unless there is a note in it, for whoever has the
// interface next (borrowed_interface.h). Where /run cannot be written interfaces are not kept apart
// and notes are lost. Programs of others on the interface: xdp/attached.h.
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
    // `key`: what the operator calls it, for the error.
    static tl::expected<InterfaceClaim, Error> take(const std::string& key,
                                                    const std::string& interface);

    // Interfaces of this network namespace whose claims have a file, whoever has them.
    static std::vector<std::string> left();

    InterfaceClaim() = default;  // claims nothing
    InterfaceClaim(InterfaceClaim&& other) noexcept = default;
    InterfaceClaim& operator=(InterfaceClaim&& other) noexcept;
    ~InterfaceClaim();

    // Empty: there is none.
    [[nodiscard]] std::string note() const;
    void write_note(const std::string& text);

  private:
    LockFile lock_;
};

}  // namespace sluice::pmd
