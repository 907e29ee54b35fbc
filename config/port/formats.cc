#include "config/port/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/choices.h"
#include "config/yaml/suggestion.h"
#include "config/yaml/values.h"

namespace sluice::config {

namespace {

template <class Number>
void take(Number& to, const Value& value) {
    if (value.written) to = static_cast<Number>(value.number);
}

Field field(const Value& value, Field like) {
    take(like.offset, value["offset"]);
    take(like.width, value["width"]);
    take(like.mask, value["mask"]);
    if (!like.exists()) return {};
    like.mask = like.significant();
    return like;
}

// If a preset's ECN is a part of its traffic class, the ECN moves with the traffic class.
Field ecn_of_class(const FrameFormat& made, const FrameFormat& like) {
    if (made.traffic_class.width != like.traffic_class.width) return {};
    Field ecn = like.ecn;
    ecn.offset =
        static_cast<uint16_t>(ecn.offset - like.traffic_class.offset + made.traffic_class.offset);
    return ecn;
}

FrameFormat described(const Value& format) {
    const FrameFormat& like = presets[static_cast<std::size_t>(format["like"].number)];
    FrameFormat made = like;
    if (format["family"].written) made.family = choice<FormatFamily>(format["family"]);
    made.destination = field(format["destination"], made.destination);
    made.source = field(format["source"], made.source);
    made.traffic_class = field(format["traffic_class"], made.traffic_class);
    made.key_word = field(format["key_word"], made.key_word);
    if (made.ecn.exists()) made.ecn = ecn_of_class(made, like);
    made.ecn = field(format["ecn"], made.ecn);
    made.flow_label = field(format["flow_label"], made.flow_label);
    made.ttl = field(format["ttl"], made.ttl);
    if (format["header"].written) made.header = Bytes(format["header"].number);
    if (format["ether_type"].written) made.ether_type = format["ether_type"].number != 0;
    if (format["ip"].written) made.ip = format["ip"].number != 0;
    if (format["learns"].written) made.learns = format["learns"].number != 0;
    return made;
}

std::string bits(const Field& field) {
    return fmt::format("bits {} to {}", field.offset, field.end() - 1);
}

struct Wording {
    std::string_view key;
    std::string what;
    std::string remedy;
};

Wording outside(std::string_view key, const Field& field, const FrameFormat& format) {
    const Bytes room = format.ether_type ? address_octets : format.header;
    return {key,
            fmt::format("{} are outside of the {} octets {}", bits(field), room.count(),
                        format.ether_type ? "before the EtherType" : "of the header"),
            fmt::format("end it at bit {} or before", room.count() * 8 - 1)};
}

Wording too_wide(std::string_view key, const Field& field, int widest, std::string_view why) {
    return {key, fmt::format("{} bits are more than {}", field.width, why),
            fmt::format("write a width of {} or less", widest)};
}

Wording too_wide_for_family(std::string_view key, const Field& field, const FrameFormat& format) {
    if (!has_ids(format.family)) return too_wide(key, field, 48, "an address has");
    const auto widest = static_cast<int>(id_bits(format.family));
    return too_wide(key, field, widest, fmt::format("an id of {} has", name_of(format.family)));
}

Wording wording(Contradiction what, const FrameFormat& format) {
    using enum Contradiction;
    const Field& to = format.destination;
    const Field& from = format.source;
    const Field& traffic_class = format.traffic_class;
    const Field& key_word = format.key_word;
    switch (what) {
        case no_destination:
            return {"destination", "has no bits, so no frame has a destination", "write its width"};
        case destination_too_wide:
            return too_wide_for_family("destination", to, format);
        case source_too_wide:
            return too_wide_for_family("source", from, format);
        case class_too_wide:
            return too_wide("traffic_class", traffic_class, 8, "tc_to_priority knows");
        case key_word_incomplete:
            return {"key_word", "has neither its first bit (ids of 16 bits) nor its last (a group)",
                    "write a width of 8, and a mask with one of them if any; 0 for no key word"};
        case key_word_unused:
            return {"key_word", fmt::format("is no field of {}", name_of(format.family)),
                    "leave it out, or write a family of ids"};
        case header_too_short:
            return {
                "header",
                fmt::format("of {} ends before the {}", format_size(format.header.count()),
                            format.ether_type ? "EtherType" : "addresses"),
                fmt::format("write {} to {}", format.ether_type ? 14 : 12, longest_header.count())};
        case destination_outside:
            return outside("destination", to, format);
        case source_outside:
            return outside("source", from, format);
        case class_outside:
            return outside("traffic_class", traffic_class, format);
        case key_word_outside:
            return outside("key_word", key_word, format);
        case ecn_outside:
            return outside("ecn", format.ecn, format);
        case flow_label_outside:
            return outside("flow_label", format.flow_label, format);
        case ttl_outside:
            return outside("ttl", format.ttl, format);
        case ecn_incomplete:
            return {"ecn", fmt::format("{} are not two bits of one octet", bits(format.ecn)),
                    "write a width of 2 within an octet, and no mask"};
        case ecn_in_field:
            return {
                "ecn",
                fmt::format("{} are bits of a field that a mark must not change", bits(format.ecn)),
                "write an offset in the traffic class, or in no other field"};
        case ttl_incomplete:
            return {"ttl", fmt::format("{} are not 2 to 8 bits that all count", bits(format.ttl)),
                    "write a width of 2 to 8, and no mask"};
        case ttl_in_field:
            return {"ttl", fmt::format("{} are bits of another field", bits(format.ttl)),
                    "write an offset beside it: each switch lowers it"};
        case addresses_overlap:
            return {"source",
                    fmt::format("{} overlap those of the destination, {} to {}", bits(from),
                                to.offset, to.end() - 1),
                    "write an offset and a width beside them"};
        case class_in_address:
            return {"traffic_class",
                    fmt::format("{} are bits of the {}, which would change with the class",
                                bits(traffic_class),
                                traffic_class.overlaps(to) ? "destination" : "source"),
                    "write an offset beside it, or a narrower address"};
        case key_word_in_field:
            return {"key_word",
                    fmt::format("{} are bits of the {}", bits(key_word),
                                key_word.overlaps(to)     ? "destination"
                                : key_word.overlaps(from) ? "source"
                                                          : "traffic class"),
                    "write an offset beside it"};
        case learns_what_nobody_asks:
            return {"learns",
                    fmt::format("{} bits of the source are learned and {} of the destination "
                                "looked up",
                                from.exists() ? fmt::format("0x{:x}", from.significant()) : "no",
                                to.exists() ? fmt::format("0x{:x}", to.significant()) : "none"),
                    "write false, or the same width and mask for both"};
        case ip_without_ether_type:
            return {"ip", "needs an EtherType, and the format has none",
                    "write false, or ether_type: true"};
        case taken_for_control:
            return {"ether_type",
                    "is missing, and octet 0 may be payload, so that frames could be taken for MAC "
                    "control",
                    "have the traffic class, the key word or the destination there"};
    }
    return {};
}

}  // namespace

std::optional<FrameFormat> format_named(const Value& file, std::string_view name) {
    const auto preset = std::find(preset_names.begin(), preset_names.end(), name);
    if (preset != preset_names.end()) {
        return presets[static_cast<std::size_t>(preset - preset_names.begin())];
    }
    for (const Value& format : file["formats"].items) {
        if (!format.valid || format["name"].text != name) continue;
        const FrameFormat made = described(format);
        return is_sound(made) ? std::optional(made) : std::nullopt;
    }
    return std::nullopt;
}

void check_formats(const Value& file, Report& report) {
    const auto fault = [&](const Value& value, std::string what, std::string remedy) {
        report.add(value.at, value.path, std::move(what), std::move(remedy));
    };
    std::map<std::string_view, const Value*> names;
    std::vector<std::string_view> known(preset_names.begin(), preset_names.end());
    for (const Value& format : file["formats"].items) {
        const Value& name = format["name"];
        if (name.valid &&
            std::find(preset_names.begin(), preset_names.end(), name.text) != preset_names.end()) {
            fault(name, fmt::format("{} is a preset", name.text), "give it a name of its own");
        } else if (name.valid) {
            const auto [first, is_new] = names.emplace(name.text, &name);
            known.push_back(name.text);
            if (!is_new) {
                fault(name, fmt::format("{} is taken by {}", name.text, first->second->path),
                      "give each format a name of its own");
            }
        }
        if (!format.valid) continue;
        const FrameFormat made = described(format);
        for_each_contradiction(made, [&](Contradiction what) {
            Wording said = wording(what, made);
            // The ECN has moved with a traffic class whose own fault is reported.
            if (said.key == "ecn" && !format["ecn"].written) return;
            fault(format[said.key], std::move(said.what), std::move(said.remedy));
        });
    }
    for (const Value& port : file["ports"].items) {
        const Value& format = port["format"];
        if (!format.valid || !file["formats"].valid) continue;
        if (std::find(known.begin(), known.end(), format.text) != known.end()) continue;
        const auto meant = nearest(format.text, known);
        fault(format, fmt::format("there is no format {}", in_quotes(format.text)),
              meant ? fmt::format("did you mean {}", *meant)
                    : fmt::format("write one of {}, or describe it under formats",
                                  joined(known, ", ")));
    }
}

std::string station_of(FormatFamily family) {
    return has_ids(family) ? fmt::format("ids of {} bits", id_bits(family))
                           : "addresses of 48 bits";
}

std::string example_of(FormatFamily family, std::string_view address) {
    return has_ids(family) ? fmt::format("a whole number from 0 to {}", highest_id(family))
                           : fmt::format("an address such as {}", address);
}

bool is_id(FormatFamily family, int64_t number) {
    return static_cast<uint64_t>(number) <= highest_id(family);
}

}  // namespace sluice::config
