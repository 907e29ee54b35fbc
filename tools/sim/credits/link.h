// Link: one link in slots of a cell, whose receiver holds its sender by credits or by XON and XOFF.
//
// In each slot, in this order: the credits or the signal that the receiver sent a delay ago reach
// the sender; the cell sent a delay ago reaches the buffer, and is lost where that is full; the
// sender sends one cell, if it has one and may; the receiver takes one cell out, if its schedule
// has it.
//   credit    a cell costs a credit, and the receiver gives one back for each that it takes
//   xon_xoff  XOFF is sent after a slot with `xoff` cells or more, XON with `xon` or fewer; the
//             sender acts on it `reaction` slots after it came
// So the loop is two delays, and as many credits as that keep the link busy.
// Bound: a slot costs the same whatever the delay. Follows the toy example of notes on flow
// control, and Kung, Blackwell and Chapman, Credit-Based Flow Control for ATM Networks (SIGCOMM
// 1994).
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::sim {

enum class LinkControl : uint8_t { credit, xon_xoff };

// Slots from the first to before the last.
struct SlotWindow {
    uint64_t from = 0;
    uint64_t until = UINT64_MAX;
};

struct LinkSettings {
    LinkControl control = LinkControl::credit;
    unsigned delay = 3;      // slots one way, at least 1
    unsigned room = 6;       // cells of the receiver's buffer
    unsigned credits = 6;    // that the sender starts with
    unsigned returning = 0;  // returned in slot 0, besides credits for cells taken then
    unsigned xoff = 1;       // cells, xon < xoff
    unsigned xon = 0;
    unsigned reaction = 0;              // slots
    unsigned take_every = 1;            // slots from one cell that it takes to the next
    std::vector<SlotWindow> stalls{};   // the receiver takes nothing
    std::vector<SlotWindow> sending{};  // the sender has cells; none of them: always
};

// Signals of XON and XOFF on their way back.
inline constexpr uint32_t xoff_signal = 1;
inline constexpr uint32_t xon_signal = 2;

// The events of a slot, and the state after it.
struct LinkSlot {
    uint64_t slot = 0;
    uint64_t sent = 0;     // number of the cell, from 1; 0: none
    uint64_t arrived = 0;  // likewise
    uint64_t taken = 0;
    bool lost = false;     // the arrived cell
    bool held = false;     // the sender had a cell and might not send it
    bool starved = false;  // the receiver would have taken one, and had none
    unsigned credits = 0;
    unsigned buffered = 0;
};

class Link {
  public:
    explicit Link(const LinkSettings& settings);

    LinkSlot step();

    // For after the last slot: the numbers of cells on the cable, 0: none; the first is the nearest
    // to the sender.
    [[nodiscard]] std::vector<uint64_t> cells_under_way() const;
    // Credits, or a signal; the first is the nearest to the sender.
    [[nodiscard]] std::vector<uint32_t> signals_under_way() const;

  private:
    void take_signal();
    void send(LinkSlot& now);
    void receive(LinkSlot& now);
    void take(LinkSlot& now);
    void send_signal();

    LinkSettings settings_;
    uint64_t slot_ = 0;
    std::vector<uint64_t> forth_;  // by the slot in which it was sent, modulo the delay
    std::vector<uint32_t> back_;
    std::vector<uint64_t> buffer_;  // numbers, the oldest first
    uint64_t sent_ = 0;
    uint64_t next_take_ = 0;
    unsigned credits_;
    bool stopped_ = false;  // the sender, by XOFF
    bool sent_xoff_ = false;
};

struct LinkOutcome {
    uint64_t sent = 0;
    uint64_t lost = 0;
    uint64_t taken = 0;
    uint64_t held = 0;     // slots
    uint64_t starved = 0;  // slots
    unsigned most_buffered = 0;

    void count(const LinkSlot& slot);
};
// Counts from slot `from` on.
LinkOutcome simulate(const LinkSettings& settings, uint64_t slots, uint64_t from = 0);

}  // namespace sluice::sim
