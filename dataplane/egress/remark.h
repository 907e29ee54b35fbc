// Remarker: writes PCP and DSCP of the frames that leave a port, by their priority, so that the
// next switch classifies as this one did.
//
// The outer tag's PCP where there is a tag, and the DSCP where there is an IP header, whose
// checksum follows; ECN, DEI and all checksums of UDP and TCP stay as they are. A frame whose
// octets other outputs send as well is passed over: it keeps what it came with. A tag that the port
// puts in front has the PCP of its priority from the start (`pcp_of_own_tags`), shared or not.
// Bound: a frame that has its value already is only read. Writing twice is writing once, so what a
// device refused may pass here again.
// Follows RFC 2474 and RFC 1624.
#pragma once

#include <array>
#include <span>

#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Remarker {
  public:
    Remarker() = default;
    Remarker(const RemarkSettings& settings, const FrameFormat& format);

    [[nodiscard]] bool is_on() const { return is_on_; }
    void write(std::span<const Frame> frames) const;
    // By priority; where nothing is set, that.
    [[nodiscard]] const std::array<uint8_t, max_priorities>& pcp_of_own_tags() const {
        return pcp_of_own_tags_;
    }

  private:
    RemarkSettings settings_;
    bool is_on_ = false;
    std::array<uint8_t, max_priorities> pcp_of_own_tags_ = {0, 1, 2, 3, 4, 5, 6, 7};
};

}  // namespace sluice
