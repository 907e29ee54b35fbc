// RigPorts: the wires of a rig, with the functions that poll.h calls, and the owner of its buffers.
//
// `arrive` adds frames for the next poll to receive. Sent frames are recorded by port: forwarded
// ones as departures, those that the switch made as octets. Every buffer counts its references by
// Released; a buffer that is freed too often is recorded too. A frame whose tag is edited has its
// new octets in addition to the received ones, or a copy of its own if the buffer is shared.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dataplane/poll.h"
#include "dataplane/types/tag.h"
#include "tests/support/octets.h"

namespace sluice::test {

struct Buffer {
    Octets octets;
    char name = '?';
    uint32_t number = 0;  // in the order of reception
    int references = 1;
    Octets edited;   // octets with room for a tag before and after them; empty: no tag was edited
    Octets wrapped;  // the frame with a tunnel's headers before it
};

// A frame that a port sent.
struct Departure {
    const Buffer* buffer;
    PortIndex input;
    Priority priority;
    Octets edited;  // octets as sent, if the tag was edited

    [[nodiscard]] const Octets& octets() const { return edited.empty() ? buffer->octets : edited; }
};

class RigPorts {
  public:
    explicit RigPorts(std::size_t ports) : sent_(ports), generated_(ports) {
        room.fill(SIZE_MAX);
        longest.fill(SIZE_MAX);
    }

    // --- called by the test ---------------------------------------------------------------------
    void arrive(InputIndex input, std::vector<Octets> octets, std::string_view names = {}) {
        for (std::size_t n = 0; n < octets.size(); ++n) {
            Buffer& buffer = buffers_.emplace_back();
            buffer.octets = std::move(octets[n]);
            buffer.name = n < names.size() ? names[n] : '?';
            buffer.number = static_cast<uint32_t>(buffers_.size() - 1);
            waiting_[input.number].push_back(&buffer);
        }
    }
    [[nodiscard]] const std::vector<Departure>& departures(PortIndex output) const {
        return sent_[output];
    }
    void forget_departures(PortIndex output) { sent_[output].clear(); }
    // Takes the frames that the switch made and sent by `output`, if `such` returns true for them.
    // Returns the last of them; empty if there is none.
    template <class Such>
    Octets take_generated(PortIndex output, Such such) {
        Octets last;
        std::erase_if(generated_[output], [&](const Octets& octets) {
            const bool is_such = such(octets);
            if (is_such) last = octets;
            return is_such;
        });
        return last;
    }
    [[nodiscard]] const Buffer& buffer(std::size_t number) const { return buffers_[number]; }
    [[nodiscard]] std::size_t received() const { return buffers_.size(); }
    // Returns the number of buffers that the switch still has.
    [[nodiscard]] std::size_t held() const {
        std::size_t count = 0;
        for (const auto* buffers : {&buffers_, &copies_}) {
            for (const Buffer& buffer : *buffers) count += buffer.references > 0 ? 1 : 0;
        }
        return count;
    }
    // Returns a message if a buffer was freed too often, else an empty text.
    [[nodiscard]] const std::string& misuse() const { return misuse_; }

    std::function<void(PortIndex output, const Frame& frame)> on_sent;
    std::function<void(PortIndex output, std::span<const uint8_t> octets)> on_generated;
    // Frames that a device still accepts, without generated ones.
    std::array<std::size_t, max_ports> room;
    // Length of the longest frame that a device accepts.
    std::array<std::size_t, max_ports> longest;
    std::size_t buffers_left = SIZE_MAX;  // buffers left for copies of shared frames
    PortSet gone = 0;                     // ports without a device

    // --- called by the switch -------------------------------------------------------------------
    [[nodiscard]] InputSet ready() const {
        InputSet inputs = 0;
        for (std::size_t input = 0; input < waiting_.size(); ++input) {
            if (!waiting_[input].empty()) inputs |= InputSet{1} << input;
        }
        return inputs;
    }
    [[nodiscard]] PortSet writable() const { return first_ports(sent_.size()) & ~gone; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        if ((gone & only(from.port)) != 0) misuse_ += "a device that is gone is asked\n";
        return receive(from.input, burst);
    }
    std::size_t receive(InputIndex input, std::span<Frame> burst) {
        auto& waiting = waiting_[input.number];
        std::size_t count = 0;
        for (; count < burst.size() && !waiting.empty(); ++count) {
            Buffer* const buffer = waiting.front();
            waiting.pop_front();
            burst[count] = Frame{.handle = buffer,
                                 .data = buffer->octets.data(),
                                 .length = static_cast<uint16_t>(buffer->octets.size())};
        }
        return count;
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        auto taken = burst.first(std::min(room[port], burst.size()));
        const auto too_long = std::ranges::find_if(
            taken, [&](const Frame& frame) { return frame.length > longest[port]; });
        gives_up_ = too_long != taken.end() && too_long == taken.begin();
        taken = {taken.begin(), too_long};
        room[port] -= taken.size();
        for (const Frame& frame : taken) {
            auto* const buffer = static_cast<Buffer*>(frame.handle);
            Octets edited;
            const bool is_edited = !buffer->edited.empty() || !buffer->wrapped.empty();
            if (is_edited) edited.assign(frame.data, frame.data + frame.length);
            sent_[port].push_back({buffer, frame.input, frame.priority, std::move(edited)});
            if (on_sent) on_sent(port, frame);
            unreference(buffer);
        }
        return taken.size();
    }
    [[nodiscard]] bool gives_up(PortIndex) const { return gives_up_; }
    std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                          const std::array<uint8_t, max_priorities>& pcps) {
        for (std::size_t n = 0; n < frames.size(); ++n) {
            Frame& frame = frames[n];
            if (edit_of(frame) == TagEdit::none) continue;
            if (!make_own(frame)) return n;
            auto& buffer = *static_cast<Buffer*>(frame.handle);
            Octets& octets = buffer.edited;
            octets.assign(tag_octets, 0xEE);
            octets.insert(octets.end(), buffer.octets.begin(), buffer.octets.end());
            octets.resize(octets.size() + tag_octets, 0xEE);
            frame.data = octets.data() + tag_octets - octets_added(edit_of(frame));
            rewrite_tag(frame, static_cast<uint16_t>(buffer.octets.size()), pcps[frame.priority]);
        }
        return frames.size();
    }
    bool send(PortIndex port, std::span<const uint8_t> octets) {
        generated_[port].emplace_back(octets.begin(), octets.end());
        if (on_generated) on_generated(port, octets);
        return true;
    }
    void release(Released& released) {
        for (std::size_t n = 0; n < released.cut_count; ++n) {
            auto& buffer = *static_cast<Buffer*>(released.shortened[n].handle);
            if (buffer.references != 1) misuse_ = "a buffer that others hold was cut";
            buffer.octets.resize(released.shortened[n].length);
        }
        for (std::size_t n = 0; n < released.shared_count; ++n) {
            static_cast<Buffer*>(released.shared[n].handle)->references += released.shared[n].extra;
        }
        for (std::size_t n = 0; n < released.freed_count; ++n) {
            unreference(static_cast<Buffer*>(released.freed[n]));
        }
        released.clear();
    }
    void keep_part(Frame& frame, std::size_t from, std::size_t count) {
        auto& octets = static_cast<Buffer*>(frame.handle)->octets;
        octets.erase(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(from));
        octets.resize(count);
        frame.data = octets.data();
        frame.length = static_cast<uint16_t>(count);
    }
    bool put_in_front(Frame& frame, std::size_t octets) {
        auto* buffer = static_cast<Buffer*>(frame.handle);
        if (buffer->references > 1) {
            buffer = copy_of(*buffer);
            if (buffer == nullptr) return false;
        }
        buffer->wrapped.assign(octets, 0xEE);
        buffer->wrapped.insert(buffer->wrapped.end(), frame.data, frame.data + frame.length);
        frame.handle = buffer;
        frame.data = buffer->wrapped.data();
        frame.length = static_cast<uint16_t>(buffer->wrapped.size());
        return true;
    }
    void take_from_front(const Frame& frame, std::size_t) {
        static_cast<Buffer*>(frame.handle)->wrapped.clear();
    }
    bool send_in_order(PortIndex port, std::span<const uint8_t> octets, Priority) {
        gives_up_ = octets.size() > longest[port];
        return !gives_up_ && room[port] > 0 && send(port, octets);
    }
    void free(const Frame& frame) { unreference(static_cast<Buffer*>(frame.handle)); }

  private:
    // Returns false if the buffer is shared, and none is left for a copy.
    bool make_own(Frame& frame) {
        auto* const buffer = static_cast<Buffer*>(frame.handle);
        if (buffer->references == 1) return true;
        Buffer* const copy = copy_of(*buffer);
        if (copy == nullptr) return false;
        unreference(buffer);
        frame.handle = copy;
        return true;
    }
    // Returns null if no buffer is left.
    Buffer* copy_of(const Buffer& buffer) {
        if (buffers_left == 0) return nullptr;
        --buffers_left;
        Buffer& copy = copies_.emplace_back(buffer);
        copy.references = 1;
        return &copy;
    }
    void unreference(Buffer* buffer) {
        if (--buffer->references < 0) misuse_ = "a buffer was given back once too often";
    }

    std::deque<Buffer> buffers_;  // by number
    std::deque<Buffer> copies_;
    std::array<std::deque<Buffer*>, max_ports> waiting_;  // by input
    std::vector<std::vector<Departure>> sent_;
    std::vector<std::vector<Octets>> generated_;
    std::string misuse_;
    bool gives_up_ = false;
};

}  // namespace sluice::test
