// Recovery: interface of retransmissions, by which a source resends lost frames (go_back_n.h,
// selective.h). A frame is identified by its serial, from `first` on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

class Recovery {
  public:
    struct Sent {
        Bytes length;  // with FCS
        Picos due;
    };

    // Memory of the largest recovery, with empty containers.
    static constexpr std::size_t octets_at_least = 2048;

    Recovery() = default;
    Recovery(const Recovery&) = delete;
    Recovery& operator=(const Recovery&) = delete;
    virtual ~Recovery() = default;

    [[nodiscard]] virtual uint64_t first() const = 0;
    // Whether a frame has to be resent; the next two functions return the frame and its serial.
    [[nodiscard]] virtual bool repeats() const = 0;
    [[nodiscard]] virtual const Sent& repeated() const = 0;
    [[nodiscard]] virtual uint64_t repeated_serial() const = 0;

    // Adds a new frame, which is sent now. There must be no frame to resend.
    virtual void send(const Sent& frame, Picos now) = 0;
    // Counts `repeated` as resent now.
    virtual void repeat(Picos now) = 0;
    virtual void on_answer(const FrameReport& report, Picos now) = 0;

    // Returns when the timeout ends; Schedule::never if no answer is outstanding.
    [[nodiscard]] virtual Picos timer() const = 0;
    // Makes frames due again if the timeout has ended. Returns whether it has ended.
    virtual bool expire(Picos now) = 0;
};

}  // namespace sluice::sim
