#include "dataplane/capture/capture_ring.h"

#include <algorithm>
#include <cassert>

namespace sluice {

bool CaptureRing::wants(const CaptureRecord& record) const {
    const bool has_priority = record.priority != CaptureRecord::unknown;
    if (wanted_.priorities != 0xFF &&
        (!has_priority || (wanted_.priorities & only_priority(record.priority)) == 0)) {
        return false;
    }
    switch (record.as) {
        case CapturedAs::received:
            return (wanted_.received & only(record.port)) != 0;
        case CapturedAs::sent:
        case CapturedAs::generated:
            return (wanted_.sent & only(record.port)) != 0;
        case CapturedAs::dropped_ingress:
        case CapturedAs::dropped_egress:
        case CapturedAs::trimmed:
            break;
    }
    const bool has_output = record.output != CaptureRecord::unknown;
    return (wanted_.dropped & (only(record.port) | (has_output ? only(record.output) : 0))) != 0;
}

uint16_t CaptureRing::write(CaptureRecord record, const uint8_t* octets) {
    if (!wants(record)) return not_wanted;
    record.copied = std::min(record.length, wanted_.longest);
    return ring_.stage(record, octets);
}

void CaptureRing::keep(const CaptureRecord& record, const uint8_t* octets) {
    if (write(record, octets) == Ring::no_room) lost_.add(1);
    ring_.publish();
}

void CaptureRing::stage(const CaptureRecord& record, const uint8_t* octets) {
    assert(staged_count_ < staged_.size());
    staged_[staged_count_++] = write(record, octets);
}

void CaptureRing::sent(std::size_t sent) {
    for (std::size_t n = 0; n < staged_count_; ++n) {
        if (n < sent && staged_[n] == Ring::no_room) lost_.add(1);
        if (n >= sent && staged_[n] != Ring::no_room) ring_.withdraw(staged_[n]);
    }
    ring_.publish();
    staged_count_ = 0;
}

}  // namespace sluice
