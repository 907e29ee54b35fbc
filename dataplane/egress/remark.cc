#include "dataplane/egress/remark.h"

#include "dataplane/egress/dscp.h"
#include "dataplane/types/address.h"
#include "dataplane/types/tag.h"

namespace sluice {
namespace {

constexpr std::size_t tagged_octets = 18;
constexpr uint8_t as_it_came = RemarkSettings::as_it_came;

void write_pcp(uint8_t* frame, std::size_t length, uint8_t pcp) {
    if (length < tagged_octets) return;
    if (!is_tag(read_16(frame + tag_offset))) return;
    uint8_t& control = frame[tag_offset + 2];
    control = static_cast<uint8_t>((control & 0x1F) | pcp << 5);
}

}  // namespace

// PCP is not remarked in a format without an EtherType, where tags cannot be recognised.
Remarker::Remarker(const RemarkSettings& settings, const FrameFormat& format)
    : settings_(settings) {
    if (!format.ether_type) settings_.pcp = RemarkSettings::all_as_they_came;
    is_on_ = settings_.pcp != RemarkSettings::all_as_they_came ||
             settings_.dscp != RemarkSettings::all_as_they_came;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const uint8_t pcp = settings_.pcp[priority];
        if (pcp != as_it_came) pcp_of_own_tags_[priority] = pcp;
    }
}

void Remarker::write(std::span<const Frame> frames) const {
    for (const Frame& frame : frames) {
        if (frame.is_shared()) continue;
        const uint8_t pcp = settings_.pcp[frame.priority];
        const uint8_t dscp = settings_.dscp[frame.priority];
        if (pcp != as_it_came && !has_own_tag(frame)) write_pcp(frame.data, frame.length, pcp);
        if (dscp != as_it_came && frame.has_network()) {
            write_dscp(frame.data + frame.network_offset, dscp);
        }
    }
}

}  // namespace sluice
