#include "control/http/negotiation.h"

#include <array>

#include "control/http/tokens.h"

namespace sluice::control::http {

namespace {

struct Offer {
    TextFormat format;
    std::string_view type;
    std::string_view version;
};
// The first of these is sent if a client accepts several equally.
constexpr std::array offers = {
    Offer{TextFormat::text, "text/plain", "0.0.4"},
    Offer{TextFormat::openmetrics, "application/openmetrics-text", "1.0.0"},
};

// Returns the quality from 0 to 1000 (RFC 9110 12.4.2); 1000 if the text has another form.
int quality_of(std::string_view text) {
    if (text.empty() || (text[0] != '0' && text[0] != '1')) return 1000;
    if (text.size() == 1) return text[0] == '1' ? 1000 : 0;
    if (text[1] != '.' || text.size() > 5) return 1000;
    int thousandths = 0;
    for (std::size_t digit = 2; digit < 5; ++digit) {
        const char each = digit < text.size() ? text[digit] : '0';
        if (each < '0' || each > '9') return 1000;
        thousandths = thousandths * 10 + (each - '0');
    }
    return text[0] == '1' ? 1000 : thousandths;
}

std::string_view unquoted(std::string_view text) {
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return quoted ? text.substr(1, text.size() - 2) : text;
}

struct Range {
    std::string_view type;
    std::string_view version;  // empty: any
    int quality = 1000;

    explicit Range(std::string_view text) : type(trimmed(next_until(text, ";"))) {
        while (!text.empty()) {
            std::string_view value = next_until(text, ";");
            const std::string_view name = trimmed(next_until(value, "="));
            value = unquoted(trimmed(value));
            if (same_name(name, "q")) quality = quality_of(value);
            if (same_name(name, "version")) version = value;
        }
    }

    // Returns how closely the media range matches the offer: 0 not at all, 1 by */*, 2 by type/*, 3
    // by its name, 4 with its version.
    [[nodiscard]] int names(const Offer& offer) const {
        if (same_name(type, offer.type)) {
            if (version.empty()) return 3;
            return version == offer.version ? 4 : 0;
        }
        if (type == "*/*") return 1;
        const std::string_view whole = offer.type.substr(0, offer.type.find('/') + 1);
        const bool of_type = type.size() == whole.size() + 1 && type.back() == '*';
        return of_type && same_name(type.substr(0, whole.size()), whole) ? 2 : 0;
    }
};

}  // namespace

TextFormat format_for(std::string_view accept) {
    struct Wanted {
        int quality = 0;
        int closeness = 0;
    };
    std::array<Wanted, offers.size()> wanted{};
    while (!accept.empty()) {
        const Range range(next_until(accept, ","));
        for (std::size_t each = 0; each < offers.size(); ++each) {
            const int closeness = range.names(offers[each]);
            if (closeness > wanted[each].closeness) wanted[each] = {range.quality, closeness};
        }
    }
    const auto& [text, openmetrics] = wanted;
    const bool is_named = openmetrics.closeness >= 3;
    const bool is_better = openmetrics.quality > text.quality ||
                           (openmetrics.quality == text.quality && openmetrics.quality > 0);
    return is_named && is_better ? TextFormat::openmetrics : TextFormat::text;
}

}  // namespace sluice::control::http
