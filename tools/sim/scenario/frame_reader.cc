#include "tools/sim/scenario/frame_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dataplane/types/tag.h"
#include "tools/sim/scenario/scenario_keys.h"

namespace sluice::sim {

namespace {

enum Format : uint8_t {
    ethernet,
    standard,
    afh_gen1,
    afh_gen2_16b,
    afh_lite,
    afh_gen2_32b,
    ufh_16b,
    ufh_32b
};
static_assert(ufh_32b == presets.size());  // Format is `ethernet`, then the presets

constexpr std::array<int64_t, presets.size() + 1> header_octets = {0, 50, 22, 22, 12, 22, 14, 14};

constexpr int64_t icrc_of(Format format) {
    return format == afh_lite || format == ufh_16b || format == ufh_32b ? 0 : 4;
}

// Returns the format of the flow's frames. Ports of another format than Ethernet accept only frames
// of their own format.
Format format_of(Fields& fields, const FrameFormat& of_ports) {
    const auto written = static_cast<Format>(fields.number("format"));
    if (of_ports.family == FormatFamily::ethernet) return written;
    const auto preset = std::ranges::find(presets, of_ports) - presets.begin();
    const auto format = static_cast<Format>(standard + preset);
    if (fields.has("format") && written != format) {
        const std::string_view name = preset_names[static_cast<std::size_t>(preset)];
        fields.fault("format", fmt::format("is not the format of the ports, which is {}", name),
                     fmt::format("write {}, or leave it out", name));
    }
    return format;
}

// Checks keys that only some formats have.
void check_parts(Fields& fields, const Flow& flow, Format format, const FrameFormat& of_ports) {
    if (flow.ecn && format > standard) {
        fields.fault("ecn", "needs IPv4, which this format lacks",
                     "remove it, or write format: standard");
    }
    if (fields.has("dscp") && format > standard) {
        fields.fault("dscp", "needs IPv4, which this format lacks",
                     "remove it, or write format: standard");
    }
    if (flow.tagged && format == afh_lite) {
        fields.fault("tagged", "is not supported by afh_lite, which has no VLAN tag", "remove it");
    }
    if (flow.again && format == afh_lite) {
        fields.fault("transport", "resends frames, which afh_lite does not support",
                     "remove it, or write another format");
    }
    if (fields.has("traffic_class") && !of_ports.traffic_class.exists()) {
        fields.fault("traffic_class", "is only valid at ports whose format has a traffic class",
                     "remove it, or write format: afh_gen1 or the like in switch.defaults");
    }
}

}  // namespace

void read_frames(Fields& fields, FlowSpec& spec, const FrameFormat& of_ports) {
    const Format format = format_of(fields, of_ports);
    Flow& flow = spec.flow;
    flow.traffic_class = static_cast<uint8_t>(fields.number("traffic_class"));
    flow.tagged = fields.has("tagged") ? fields.yes("tagged") : format != afh_lite;
    flow.ecn = fields.yes("ecn");
    flow.dscp = static_cast<uint8_t>(fields.has("dscp") ? fields.number("dscp") : 0);
    flow.ip = flow.ecn || format == standard || fields.has("dscp");
    if (format == ethernet) {
        if (fields.has("payload")) {
            fields.fault("payload", "is not valid with format ethernet", "write size");
        }
        const int64_t size = fields.number("size");
        flow.mix = {size, fields.has("size_to") ? fields.number("size_to") : size};
        spec.carried = Bytes(flow.mix.longest);
        if (flow.mix.longest < size) {
            fields.fault("size_to", "is less than size", "write sizes from the least to the most");
        }
    } else {
        for (const char* key : {"size", "size_to"}) {
            if (fields.has(key))
                fields.fault(key, "is only valid with format ethernet", "write payload");
        }
        spec.carried = Bytes(fields.number("payload"));
        spec.around = Bytes(header_octets[format] + (flow.tagged ? int64_t{tag_octets} : 0) +
                            icrc_of(format)) +
                      fcs;
        const int64_t length = std::max(Source::shortest_frame, spec.carried + spec.around).count();
        flow.mix = {length, length};
    }
    if (!flow.tagged && fields.has("priority")) {
        fields.fault("priority", "needs a tag, which these frames lack",
                     "remove it, and write default_priority of the switch's port");
    }
    check_parts(fields, flow, format, of_ports);
}

}  // namespace sluice::sim
