#include "dataplane/ingress/tagging.h"

#include "dataplane/types/address.h"

namespace sluice {

TagForm form_of_tag(const Frame& frame, const TaggingSettings& tagging) {
    const uint16_t ether_type = read_16(frame.data + tag_offset);
    TagForm form;
    for (const TagType type : {TagType::customer, TagType::service}) {
        if (ether_type != ether_type_of(type)) continue;
        if (tagging.aware && tagging.type != type) continue;
        const bool names_vlan = (read_16(frame.data + tag_offset + 2) & 0x0FFF) != 0;
        form = {.tagged = true, .type = type, .names_vlan = names_vlan};
    }
    return form;
}

[[gnu::noinline]] Drop accept_tag(const Frame& frame, const TaggingSettings& tagging,
                                  VlanId& vlan) {
    if (!form_of_tag(frame, tagging).tagged) vlan = 0;
    const FrameTypes type = vlan != 0 ? FrameTypes::tagged : FrameTypes::untagged;
    if (tagging.accept == FrameTypes::all || tagging.accept == type) return Drop::none;
    return type == FrameTypes::tagged ? Drop::tag_refused : Drop::tag_required;
}

}  // namespace sluice
