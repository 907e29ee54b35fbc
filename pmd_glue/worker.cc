#include "pmd_glue/worker.h"

#include <sched.h>
#include <sys/prctl.h>
#include <algorithm>
#include <bit>
#include <ctime>

namespace sluice::pmd {
namespace {

constexpr int bursts_a_turn = 2;            // to one port
constexpr int turns_a_poll = 8;             // of crossing and sending
constexpr uint8_t polls_until_silent = 64;  // without a frame from one port
constexpr unsigned polls_a_silent_port = 4;
constexpr uint32_t polls_before_yield = 128;  // without a frame
constexpr uint32_t polls_before_sleep = 1024;
constexpr timespec nap{0, 50'000};
constexpr unsigned long timer_slack_ns = 1000;  // by default a nap takes 50 us longer

}  // namespace

Worker::Worker(WorkerIndex index, Crew& crew)
    : index_(index),
      crew_(crew),
      pool_(*crew.pools[crew.pools.size() > 1 ? index : 0]),
      adopted_(crew.settings.load(std::memory_order_acquire)) {
    for (std::size_t port = 0; port < crew.ports.size(); ++port) {
        const auto own = static_cast<PortIndex>(port);
        if (crew.fabric.worker_of(own) == index) ports_.push_back(own);
    }
    for (PortIndex input = 0; input < crew.fabric.input_count(); ++input) {
        if (crew.fabric.worker_of(input) != index) continue;
        const PortIndex port = crew.fabric.port_of(input);
        const PortSet before = crew.fabric.lanes_of(port) & first_ports(input);
        sources_.push_back({input, port, static_cast<uint16_t>(std::popcount(before))});
    }
}

void Worker::run() {
    if (crew_.options.idle == Idle::yield) ::prctl(PR_SET_TIMERSLACK, timer_slack_ns, 0, 0, 0);
    bool busy = false;
    bool slept = true;  // before the first poll nobody waits for it
    for (Nanos last = crew_.clock.now();;) {
        const Nanos now = crew_.clock.now();
        const auto gap = static_cast<uint64_t>((now - last).count());
        (busy ? counters_.busy_ns : counters_.idle_ns).add(gap);
        if (!slept) counters_.longest_gap_ns.raise_to(gap);
        last = now;
        if (!deaf_) adopt();  // at the end nothing is to start a pause again
        if (crew_.stopping.load(std::memory_order_acquire) && !deaf_) stop_receiving();
        busy = poll(now);
        counters_.polls.add(1);
        if (busy) counters_.busy_polls.add(1);
        if (deaf_ && nothing_left(now)) break;
        slept = rest(busy);
    }
    let_go();
}

bool Worker::poll(Nanos now) {
    std::size_t received = 0;
    std::size_t sent = 0;
    if (!deaf_) {
        ++turn_;
        for (const Source& from : sources_) {
            const std::size_t count = skips(from.input) || waits(from) ? 0 : receive(from, now);
            if (count == 0) continue;
            received += count;
            // A peer that is to stop is told before the others are heard; of a lane's port, if this
            // is its worker, else at that one's next poll.
            const bool is_due = from.input == from.port
                                    ? crew_.fabric.ingress(from.port).xoff().due(now)
                                    : crew_.fabric.worker_of(from.port) == index_;
            if (is_due) sent += send_pause(from.port, now);
        }
    }
    if (const PortSet due = crew_.fabric.take_control_due(index_)) sent += send_for_control(due);
    // An egress queue holds two quanta, and a burst of long frames is more: what leaves makes room
    // for what still waits, so that a poll lets out what it let in.
    for (int turn = 0; turn < turns_a_poll; ++turn) {
        const std::size_t pairs = cross();
        const std::size_t left = send_all(now);
        sent += left;
        if (left == 0 || (pairs == 0 && !waits_for_room())) break;
    }
    crew_.fabric.tend(index_, now, released_);
    apply_released();
    if (received > 0) counters_.received.add(received);
    if (sent > 0) counters_.sent.add(sent);
    was_busy_ = received + sent > 0;
    return was_busy_;
}

// Frames that bypass may leave no room for a pair, and once they are sent there is some. With
// several workers that is the next poll's.
bool Worker::waits_for_room() const {
    return crew_.workers == 1 && crew_.fabric.crossbar().requested(index_) != 0;
}

bool Worker::skips(PortIndex input) const {
    return was_busy_ && silence_[input] == polls_until_silent &&
           (turn_ + input) % polls_a_silent_port != 0;
}

bool Worker::waits(const Source& from) const {
    return from.input != from.port && crew_.fabric.ingress(from.input).waits_for_port();
}

void Worker::adopt() {
    const Settings* const newest = crew_.settings.load(std::memory_order_acquire);
    if (newest == adopted_.load(std::memory_order_relaxed)) return;
    crew_.fabric.adopt(index_, *newest);
    adopted_.store(newest, std::memory_order_release);
}

std::size_t Worker::receive(const Source& from, Nanos now) {
    const std::span<Frame> room(burst_.data(), crew_.options.burst);
    const std::size_t count = crew_.ports[from.port]->receive(room, from.lane);
    uint8_t& silence = silence_[from.input];
    if (count == 0) {
        silence = std::min<uint8_t>(silence + 1, polls_until_silent);
        return 0;
    }
    silence = 0;
    crew_.fabric.receive(from.input, room.first(count), now, released_);
    apply_released();
    return count;
}

std::size_t Worker::cross() {
    if (index_ != 0) {
        crew_.fabric.transfer(index_);
        return 0;
    }
    const int slots = adopted_.load(std::memory_order_relaxed)->fabric.slots;
    std::size_t pairs = 0;
    for (int slot = 0; slot < slots; ++slot) {
        const std::size_t matched = crew_.fabric.match();
        crew_.fabric.transfer(0);
        pairs += matched;
        if (matched == 0) break;
    }
    return pairs;
}

std::size_t Worker::send_all(Nanos now) {
    std::size_t sent = 0;
    for_each_port(crew_.fabric.active(index_), [&](PortIndex port) { sent += send(port, now); });
    return sent;
}

std::size_t Worker::send(PortIndex output, Nanos now) {
    Port& port = *crew_.ports[output];
    std::size_t total = send_pause(output, now);
    const std::span<Frame> room(burst_.data(), crew_.options.burst);
    for (int burst = 0; burst < bursts_a_turn; ++burst) {
        const std::size_t count = crew_.fabric.transmit(output, room, now);
        if (count == 0) break;
        const std::span<Frame> frames = room.first(count);
        std::size_t ready = count;
        if (crew_.fabric.edits_tags()) {
            ready = pool_.edit_tags(frames, crew_.fabric.pcp_of_own_tags(output));
            if (ready == 0) {
                give_up_first(output, frames);
                continue;
            }
        }
        const std::size_t sent = port.transmit(frames.first(ready));
        crew_.fabric.confirm(output, frames, sent);
        total += sent;
        if (sent < count) break;
    }
    if (total > 0) silence_[output] = 0;  // its peer may have a pause to tell
    return total;
}

// Waiting for a buffer could be waiting for ever: those that wait behind may hold all of them.
void Worker::give_up_first(PortIndex output, std::span<const Frame> frames) {
    crew_.fabric.discard_first(output, frames, Drop::no_buffer);
    void* handle = frames.front().handle;
    pool_.free({&handle, 1});
}

// Ahead of any data. Refused, it is written anew at the next poll, with what is true by then.
std::size_t Worker::send_pause(PortIndex output, Nanos now) {
    std::array<uint8_t, pause_frame_octets> octets;
    if (!crew_.fabric.pause_frame(output, octets, now)) return 0;
    const std::span<Frame> spare(&spare_[output], 1);
    if (spare[0].handle == nullptr && !pool_.allocate(spare, pause_frame_octets)) return 0;
    std::ranges::copy(octets, spare[0].data);
    if (crew_.ports[output]->transmit(spare) == 0) return 0;
    spare[0].handle = nullptr;
    crew_.fabric.pause_frame_sent(output, now);
    return 1;
}

// Ahead of any data. What a device refuses waits where it is, until the next poll.
std::size_t Worker::send_for_control(PortSet due) {
    std::size_t sent = 0;
    for (const PortIndex port : ports_) {
        if ((due & only(port)) == 0) continue;
        for (auto octets = crew_.fabric.control_frame(port); !octets.empty();
             octets = crew_.fabric.control_frame(port)) {
            if (!send_copy(port, octets)) {
                crew_.fabric.put_off_control(port);
                break;
            }
            crew_.fabric.control_frame_sent(port);
            ++sent;
        }
    }
    return sent;
}

bool Worker::send_copy(PortIndex output, std::span<const uint8_t> octets) {
    Frame frame;
    if (!pool_.allocate(std::span(&frame, 1), static_cast<uint16_t>(octets.size()))) {
        return false;
    }
    std::ranges::copy(octets, frame.data);
    if (crew_.ports[output]->transmit(std::span(&frame, 1)) == 1) return true;
    pool_.free({&frame.handle, 1});
    return false;
}

void Worker::apply_released() {
    if (released_.freed_count + released_.shared_count > 0) pool_.apply(released_);
}

void Worker::stop_receiving() {
    deaf_ = true;
    stage_.store(Stage::draining, std::memory_order_relaxed);
    crew_.fabric.release_peers(index_);
    crew_.deaf.fetch_add(1, std::memory_order_acq_rel);
}

// Asked after a poll, so that no frame of this worker is between a queue and its device, and until
// every peer was told to go on. Another's may be: so each has to find the switch
// empty, and one that does not sets the others back.
bool Worker::nothing_left(Nanos now) {
    const bool all_deaf = crew_.deaf.load(std::memory_order_acquire) == crew_.workers;
    if (!all_deaf || !crew_.fabric.empty() || crew_.fabric.owes_peers(index_)) {
        crew_.empty.store(0, std::memory_order_release);
    } else {
        crew_.empty.fetch_or(1U << index_, std::memory_order_acq_rel);
    }
    const bool all_found_it_empty =
        crew_.empty.load(std::memory_order_acquire) == (1U << crew_.workers) - 1;
    if (all_found_it_empty || now >= crew_.drained_by) {
        crew_.still.store(true, std::memory_order_release);
    }
    return crew_.still.load(std::memory_order_acquire);
}

void Worker::let_go() {
    stage_.store(Stage::waiting_for_others, std::memory_order_relaxed);
    crew_.quiet.fetch_add(1, std::memory_order_acq_rel);
    while (crew_.quiet.load(std::memory_order_acquire) < crew_.workers) ::nanosleep(&nap, nullptr);
    stage_.store(Stage::letting_go, std::memory_order_relaxed);
    // What another worker has moved and nobody has collected waits at the output from here on.
    crew_.fabric.collect(index_);
    for (bool more = true; more;) {
        more = crew_.fabric.flush(index_, released_);
        apply_released();
    }
    for (const PortIndex port : ports_) {
        if (void* handle = std::exchange(spare_[port].handle, nullptr); handle != nullptr) {
            pool_.free({&handle, 1});
        }
    }
    stage_.store(Stage::ended, std::memory_order_relaxed);
}

bool Worker::rest(bool busy) {
    if (busy || crew_.options.idle == Idle::poll) {
        idle_polls_ = 0;
        return false;
    }
    if (++idle_polls_ < polls_before_yield) return false;
    // A frame that waits for its shaper or its pause to end is to leave on time.
    if (idle_polls_ < polls_before_sleep || !crew_.fabric.empty()) {
        ::sched_yield();
        return false;
    }
    counters_.sleeps.add(1);
    ::nanosleep(&nap, nullptr);
    return true;
}

}  // namespace sluice::pmd
