#include "dataplane/ingress_pipeline/csig_arrivals.h"

#include "dataplane/csig/csig_tag.h"
#include "dataplane/ingress/parse.h"

namespace sluice {
namespace {

CsigFault find_network(const Ingress& ingress, Frame& frame, const CsigPlace& place) {
    const std::span<const uint8_t> octets(frame.data, frame.length);
    const Format& format = ingress.format();
    Headers headers;
    const Drop of_tags =
        format.is_standard ? parse(octets, headers) : parse(format, octets, headers);
    if (of_tags != Drop::none) return CsigFault::truncated;
    headers.ether_type = place.ether_type;
    if (parse_network(octets, place.network, headers) != Drop::none) return CsigFault::truncated;
    if (headers.network_offset == 0) return CsigFault::not_ip;
    frame.network_offset = headers.network_offset;
    frame.priority = ingress.classify(headers, octets);
    return CsigFault::none;
}

}  // namespace

[[gnu::noinline]] void look_behind_csig(const Ingress& ingress, CsigPorts& csig,
                                        std::span<Frame> burst, const Verdicts& verdicts) {
    const FrameFormat& format = ingress.format().layout;
    if (format.family != FormatFamily::ethernet || !format.ip) return;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Frame& frame = burst[n];
        if (verdicts.drop[n] != Drop::none || frame.network_offset != 0) continue;
        const CsigPlace place = csig.tags().find({frame.data, frame.length});
        CsigFault why = place.fault;
        if (place.form != CsigForm::none) why = find_network(ingress, frame, place);
        if (why != CsigFault::none) csig.count(ingress.port(), why);
    }
}

[[gnu::noinline]] void strip_csig_tags(const CsigStripping& where, std::span<Frame> burst,
                                       const Verdicts& verdicts) {
    CsigPorts& csig = where.csig;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Frame& frame = burst[n];
        const PortSet outputs = verdicts.outputs[n];
        const PortSet stripping = outputs & csig.stripping();
        if (stripping == 0 || !frame.has_network()) continue;
        const std::span<uint8_t> octets(frame.data, frame.length);
        const CsigPlace place = csig.tags().find(octets);
        if (place.form == CsigForm::none) continue;
        const PortSet mirrored_to = where.mirrors.copies(where.port, outputs) & where.open;
        if (((outputs | mirrored_to) & ~csig.stripping()) != 0) {
            csig.count_unstripped(stripping);
            continue;
        }
        frame.length = strip_csig(octets, place);
        frame.network_offset = static_cast<uint8_t>(frame.network_offset - octets_of(place.form));
        where.released.cut(frame.handle, frame.length);
        csig.count_stripped(stripping);
    }
}

}  // namespace sluice
