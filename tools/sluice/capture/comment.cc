#include "tools/sluice/capture/comment.h"

#include <fmt/format.h>

namespace sluice::cli {

namespace {

std::string name_in(const std::vector<std::string>& names, std::size_t number) {
    return number < names.size() ? names[number] : fmt::format("{}", number);
}

bool has_priority(const CaptureRecord& record) { return record.priority != CaptureRecord::unknown; }

std::string origin_of(const CaptureRecord& record, const CaptureNames& names) {
    const std::string input = name_in(names.ports, record.input);
    return has_priority(record) ? fmt::format("from {}, priority {}", input, record.priority)
                                : fmt::format("from {}", input);
}

// Returns the frame's VOQ as a text; if the record has no output or no priority, the frame's
// origin.
std::string voq_of(const CaptureRecord& record, const CaptureNames& names) {
    if (record.output == CaptureRecord::unknown || !has_priority(record)) {
        return origin_of(record, names);
    }
    return fmt::format("VOQ from {} to {}, priority {}, {} octets deep",
                       name_in(names.ports, record.input), name_in(names.ports, record.output),
                       record.priority, record.depth);
}

}  // namespace

std::string comment_of(const CaptureRecord& record, const CaptureNames& names) {
    switch (record.as) {
        case CapturedAs::received:
            return has_priority(record) ? fmt::format("priority {}", record.priority) : "";
        case CapturedAs::sent:
            return origin_of(record, names);
        case CapturedAs::generated:
            return "made by the switch";
        case CapturedAs::dropped_ingress:
        case CapturedAs::dropped_egress:
            return fmt::format("dropped: {}; {}",
                               name_in(names.reasons, static_cast<std::size_t>(record.reason)),
                               voq_of(record, names));
        case CapturedAs::trimmed:
            return "trimmed; " + voq_of(record, names);
    }
    return {};
}

}  // namespace sluice::cli
