#include "tools/sim/scenario/variants.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tools/sim/scenario/override.h"

namespace sluice::sim {

using config::Node;
using config::Report;

namespace {

constexpr std::size_t most_variants = 64;

const Node* value_of(const Node& map, std::string_view key) {
    for (std::size_t n = 0; n < map.keys.size(); ++n) {
        if (map.keys[n].text == key) return &map.items[n];
    }
    return nullptr;
}

std::string names_of(const Node& variants) {
    std::string names;
    for (const Node& name : variants.keys) {
        names += (names.empty() ? "" : ", ") + config::in_path(name.text);
    }
    return names;
}

}  // namespace

void use_variant(Node& document, Report& report) {
    const Node* const variants = value_of(document, "variants");
    const Node* const chosen = value_of(document, "variant");
    if (variants != nullptr &&
        (variants->kind != Node::Kind::map || variants->keys.size() > most_variants)) {
        report.add(variants->at, "variants",
                   fmt::format("is no map of up to {} names", most_variants),
                   "write {name: {path: value}}");
        return;
    }
    if (chosen == nullptr) return;
    const Node* const one = variants == nullptr ? nullptr : value_of(*variants, chosen->text);
    if (one == nullptr) {
        report.add(chosen->at, "variant", "is not there",
                   variants == nullptr ? "write variants: {name: {path: value}}"
                                       : "those of variants are " + names_of(*variants));
        return;
    }
    if (one->kind != Node::Kind::map && one->kind != Node::Kind::nothing) {
        report.add(one->at, "variants." + config::in_path(chosen->text), "is no map",
                   "write {path: value}");
        return;
    }
    const Node changes = *one;  // a copy, since setting values may move nodes of the document
    for (std::size_t n = 0; n < changes.keys.size(); ++n) {
        set_at(document, changes.keys[n].text, changes.items[n], report);
    }
}

}  // namespace sluice::sim
