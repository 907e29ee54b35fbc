// A shard's frames from and for control: those that further lanes of its ports received, and those
// that control sends.
#include "dataplane/shard.h"

namespace sluice {

// --- frames received by further lanes ---

// The lane has already counted each frame as consumed; a frame beyond the port's limit is not
// counted under another reason.
[[gnu::noinline]] void Shard::receive_from_lanes(PortIndex port, Nanos now) {
    for_each_input(shared_.lanes_of[port] & ~only(port), [&](InputIndex lane) {
        LaneMail& mail = shared_.mail_of(lane);
        ControlReceiver control = control_receiver(port, *ingress_[port], now);
        for (auto octets = mail.pauses.front(); !octets.empty(); octets = mail.pauses.front()) {
            control.mac_control(octets);
            mail.pauses.pop();
        }
        for (std::size_t protocol = 0; protocol < control_protocols; ++protocol) {
            Mailbox& box = mail.control[protocol];
            for (auto octets = box.front(); !octets.empty(); octets = box.front()) {
                control.take(static_cast<ControlProtocol>(protocol), octets);
                box.pop();
            }
        }
    });
}

// --- frames of control ---

std::span<const uint8_t> Shard::control_frame(PortIndex port) {
    check_owner_();
    Mailbox& due = mail_[port]->due;
    // Frames for a port without link are discarded.
    while (!has_link(port) && !due.front().empty()) due.pop();
    if (has_credit(port)) [[unlikely]]
        drop_control_without_credit(port);
    return due.front();
}

void Shard::control_frame_sent(PortIndex port) {
    check_owner_();
    Mailbox& due = mail_[port]->due;
    if (has_credit(port)) [[unlikely]]
        consume_for_control(port, due.front());
    counters_[port]->generated.add(1);
    counters_[port]->tx_frames.add(1);
    counters_[port]->tx_bytes.add(due.front().size());
    due.pop();
}

void Shard::postpone_control(PortIndex port) {
    check_owner_();
    shared_.control_due.fetch_or(only(port), std::memory_order_relaxed);
}

}  // namespace sluice
