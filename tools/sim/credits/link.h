// Link: simulates one link in slots of one cell. Its receiver controls the sender by credits, or by
// XON and XOFF.
// Each slot has these steps, in order: the credits or the signal that the receiver sent one delay
// ago reach the sender; the cell that was sent one delay ago reaches the buffer, and is lost if the
// buffer is full; the sender sends one cell, if it has one and may; the receiver takes one cell
// from the buffer, if its schedule says so.
//   credit     a cell costs a credit; the receiver returns one for each cell that it takes
//   xon_xoff   XOFF is sent after a slot with `xoff` cells or more, XON with `xon` or fewer; the
//              sender acts on a signal `reaction` slots after the signal arrived
// The loop is two delays long. As many credits as the loop has slots keep the link busy.
// Bound: the cost of a slot does not depend on the delay. Follows the toy example of notes on flow
// control, and Kung, Blackwell and Chapman, Credit-Based Flow Control for ATM Networks (SIGCOMM
// 1994).
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::sim {

enum class LinkControl : uint8_t { credit, xon_xoff };

// The slots from `from` up to, but not including, `until`.
struct SlotWindow {
    uint64_t from = 0;
    uint64_t until = UINT64_MAX;
};

struct LinkSettings {
    LinkControl control = LinkControl::credit;
    unsigned delay = 3;    // slots in one direction, at least 1
    unsigned room = 6;     // cells of the receiver's buffer
    unsigned credits = 6;  // the sender's credits at the start
    // Extra credits that the receiver returns in slot 0.
    unsigned returning = 0;
    unsigned xoff = 1;  // cells; xon must be less than xoff
    unsigned xon = 0;
    unsigned reaction = 0;              // slots
    unsigned take_every = 1;            // slots from one taken cell to the next
    std::vector<SlotWindow> stalls{};   // the receiver takes no cell in these slots
    std::vector<SlotWindow> sending{};  // the sender has cells in these slots; if empty, always
};

// Values of XON and XOFF on the way back to the sender.
inline constexpr uint32_t xoff_signal = 1;
inline constexpr uint32_t xon_signal = 2;

// Events of a slot, and the state after it.
struct LinkSlot {
    uint64_t slot = 0;
    uint64_t sent = 0;     // number of the cell, from 1; 0 if none was sent
    uint64_t arrived = 0;  // number of the cell, from 1; 0 if none arrived
    uint64_t taken = 0;
    bool lost = false;     // the arrived cell was lost
    bool held = false;     // the sender had a cell but was not allowed to send it
    bool starved = false;  // the receiver was ready to take a cell, and the buffer was empty
    unsigned credits = 0;
    unsigned buffered = 0;
};

class Link {
  public:
    explicit Link(const LinkSettings& settings);

    LinkSlot step();

    // Returns the numbers of the cells on the cable, 0 for an empty slot; the first is the nearest
    // to the sender. Call it after the last slot.
    [[nodiscard]] std::vector<uint64_t> cells_under_way() const;
    // Returns the credits, or the signals, on the cable; the first is the nearest to the sender.
    [[nodiscard]] std::vector<uint32_t> signals_under_way() const;

  private:
    void take_signal();
    void send(LinkSlot& now);
    void receive(LinkSlot& now);
    void take(LinkSlot& now);
    void send_signal();

    LinkSettings settings_;
    uint64_t slot_ = 0;
    std::vector<uint64_t> forth_;  // cells by the slot in which they were sent, modulo the delay
    std::vector<uint32_t> back_;
    std::vector<uint64_t> buffer_;  // numbers of cells, the oldest first
    uint64_t sent_ = 0;
    uint64_t next_take_ = 0;
    unsigned credits_;
    bool stopped_ = false;  // XOFF has stopped the sender
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
// Simulates `slots` slots, and counts from slot `from` on.
LinkOutcome simulate(const LinkSettings& settings, uint64_t slots, uint64_t from = 0);

}  // namespace sluice::sim
