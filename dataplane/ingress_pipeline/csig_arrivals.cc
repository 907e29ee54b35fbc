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

[[gnu::noinline]] void look_behind_csig(IngressContext& context, std::span<Frame> burst,
                                        const Verdicts& verdicts) {
    const FrameFormat& format = context.ingress.format().layout;
    if (format.family != FormatFamily::ethernet || !format.ip) return;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Frame& frame = burst[n];
        if (verdicts.drop[n] != Drop::none || frame.network_offset != 0) continue;
        const CsigPlace place = context.csig.tags().find({frame.data, frame.length});
        CsigFault why = place.fault;
        if (place.form != CsigForm::none) why = find_network(context.ingress, frame, place);
        if (why != CsigFault::none) context.csig.count(context.port, why);
    }
}

[[gnu::noinline]] void strip_csig_tags(IngressContext& context, std::span<Frame> burst,
                                       const Verdicts& verdicts) {
    CsigPorts& csig = context.csig;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Frame& frame = burst[n];
        const PortSet outputs = verdicts.outputs[n];
        const PortSet stripping = outputs & csig.stripping();
        if (stripping == 0 || !frame.has_network()) continue;
        const std::span<uint8_t> octets(frame.data, frame.length);
        const CsigPlace place = csig.tags().find(octets);
        if (place.form == CsigForm::none) continue;
        const Mirrors& mirrors = context.mirrors;
        const PortSet mirrored_to =
            mirrors.any() ? mirrors.copies(context.port, outputs) & context.open : 0;
        if (((outputs | mirrored_to) & ~csig.stripping()) != 0) {
            csig.count_unstripped(stripping);
            continue;
        }
        frame.length = strip_csig(octets, place);
        frame.network_offset = static_cast<uint8_t>(frame.network_offset - octets_of(place.form));
        context.released.cut(frame.handle, frame.length);
        csig.count_stripped(stripping);
    }
}

}  // namespace sluice
