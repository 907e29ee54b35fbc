#include "dataplane/csig/csig_output.h"

#include <bit>

namespace sluice {

void CsigOutput::configure(const CsigSettings& settings, const PortCsigSettings& own,
                           BitsPerSecond capacity) {
    tags_ = CsigTags(settings);
    own_ = own;
    capacity_ = capacity;
    bandwidth_.configure(capacity, settings.interval);
    tagged_ = worse_ = others_too_ = 0;
}

void CsigOutput::look(Priority priority, const Queue& queue, Nanos now) {
    delays_[priority].look(queue.left, queue.waiting, now);
    depths_[priority] = transmission_time(queue.depth, capacity_);
}

int64_t CsigOutput::value_of(CsigType type, Priority priority) const {
    switch (type) {
        case CsigType::bandwidth:
            return bandwidth_.left().count();
        case CsigType::relative:
            return bandwidth_.relative();
        case CsigType::delay:
            return delays_[priority].delay().count();
        case CsigType::depth:
            break;
    }
    return depths_[priority].count();
}

bool CsigOutput::replace(uint8_t* tag, CsigForm form, Priority priority) const {
    const CsigSignal theirs = tags_.read(tag, form);
    if (theirs.trimmed || theirs.type >= csig_types) return false;
    const auto type = static_cast<CsigType>(theirs.type);
    const CsigBands& bands = tags_.settings(form).bands[theirs.type];
    const uint32_t ours = signal_of(value_of(type, priority), bands, form);
    if (!is_worse(type, ours, theirs.value)) return false;
    tags_.write(tag, form, ours, own_.locator);
    return true;
}

void CsigOutput::update(std::span<const Frame> burst) {
    tagged_ = worse_ = others_too_ = 0;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const Frame& frame = burst[n];
        if (!frame.has_network() && !frame.is_shared()) continue;
        const CsigPlace place = tags_.find({frame.data, frame.length});
        if (place.form == CsigForm::none) continue;
        const Marks bit = Marks{1} << n;
        tagged_ |= bit;
        if (frame.is_shared()) {
            others_too_ |= bit;
        } else if (replace(frame.data + place.offset, place.form, frame.priority)) {
            worse_ |= bit;
        }
    }
}

void CsigOutput::sent(std::size_t frames) {
    if (tagged_ == 0) return;
    const Marks gone = frames < 64 ? (Marks{1} << frames) - 1 : ~Marks{0};
    const auto add = [&](Counter& counter, Marks marks) {
        counter.add(static_cast<uint64_t>(std::popcount(marks & gone)));
    };
    add(seen_, tagged_);
    add(replaced_, worse_);
    add(shared_, others_too_);
}

}  // namespace sluice
