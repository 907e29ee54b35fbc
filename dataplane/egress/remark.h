// Remarker: writes PCP and DSCP of the frames that a port sends, by their priority, so that the
// next switch classifies them as this one did.
//
// It writes the PCP of the outer tag, if there is a tag, and the DSCP and checksum of the IP
// header, if there is one. ECN, DEI and the checksums of UDP and TCP stay unchanged. A frame whose
// octets other outputs share is skipped and keeps its values. A tag that the port pushes is written
// with the PCP of its priority (`pcp_of_own_tags`), whether the frame is shared or not.
// Bound: a frame that has the right value already is only read. Writing is idempotent, so frames
// that a device refused may be remarked again.
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
    // Returns the PCP of pushed tags, by priority; for a priority that is not remarked, its number.
    [[nodiscard]] const std::array<uint8_t, max_priorities>& pcp_of_own_tags() const {
        return pcp_of_own_tags_;
    }

  private:
    RemarkSettings settings_;
    bool is_on_ = false;
    std::array<uint8_t, max_priorities> pcp_of_own_tags_ = {0, 1, 2, 3, 4, 5, 6, 7};
};

}  // namespace sluice
