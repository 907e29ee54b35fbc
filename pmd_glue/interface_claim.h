// Interface claim: whose a kernel interface is, as far as sluice processes go.
//
// Two switches on one interface would both take its frames. And an XDP driver that fails to open
// one detaches whatever program is there, and so cuts off the process that has it. Whoever opens an
// interface therefore claims it first, and whoever wants XDP looks whose program is attached: one
// that a killed process of ours left behind is taken over; any other is refused, with the command
// that detaches it. The claim is a locked file (lock_file.h), /run/sluice/NAMESPACE-INTERFACE, that
// holds the id of our program; the lock ends with the process, the file with the claim. A process
// may be killed before it can write that. So it writes before, since when its driver may attach
// one, and of the driver's programs one that was loaded in the ten seconds from then on is ours,
// too. Where /run cannot be written every program counts as somebody else's, and interfaces are
// not kept apart.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "pmd_glue/error.h"
#include "pmd_glue/lock_file.h"

namespace sluice::pmd {

class InterfaceClaim {
  public:
    // `key`: what the operator calls it, for the error.
    static tl::expected<InterfaceClaim, Error> take(const std::string& key,
                                                    const std::string& interface);

    InterfaceClaim() = default;  // claims nothing
    InterfaceClaim(InterfaceClaim&& other) noexcept = default;
    InterfaceClaim& operator=(InterfaceClaim&& other) noexcept;
    ~InterfaceClaim();

    // Why no XDP program of ours may be attached.
    [[nodiscard]] std::optional<Error> check_program() const;
    // Before the driver may attach its program, and once that is checked: what is attached then, or
    // soon, is ours.
    void expect_program() const;
    // Once the driver has attached its program: remembers it as ours.
    void record_program() const;
    // For who ends without closing the device: detaches our program, as its driver would, and
    // claims nothing any more.
    void abandon();

  private:
    std::string key_;
    std::string interface_;
    unsigned index_ = 0;  // of the interface
    LockFile lock_;
};

}  // namespace sluice::pmd
