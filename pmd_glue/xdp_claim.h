// XDP claim: whose the XDP program on an interface is.
//
// A driver that fails to open an interface detaches whatever program is there, and so cuts off the
// process that has it. Whoever opens one therefore claims it first. A program that a killed process
// of ours left behind is taken over; any other is refused, with the command that detaches it. The
// claim is a locked file, /run/sluice/xdp-NAMESPACE-INTERFACE, that holds the id of our program;
// the lock ends with the process, the file may stay. Where /run cannot be written every program
// counts as somebody else's.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "pmd_glue/error.h"

namespace sluice::pmd {

class XdpClaim {
  public:
    static tl::expected<XdpClaim, Error> take(const std::string& key, const std::string& interface);

    XdpClaim() = default;  // claims nothing
    XdpClaim(XdpClaim&& other) noexcept;
    XdpClaim& operator=(XdpClaim&& other) noexcept;
    ~XdpClaim();

    // Once the driver has attached its program: remembers it as ours.
    void record() const;

  private:
    std::string interface_;
    int file_ = -1;
};

}  // namespace sluice::pmd
