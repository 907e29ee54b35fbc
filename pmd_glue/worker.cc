#include "pmd_glue/worker.h"

#include <sched.h>
#include <sys/prctl.h>
#include <cassert>
#include <ctime>

namespace sluice::pmd {
namespace {

constexpr uint32_t polls_before_yield = 128;  // consecutive polls without a frame
constexpr uint32_t polls_before_sleep = 1024;
constexpr timespec nap_time{0, 50'000};
// Polls without a nap, so that a round of ageing ends soon.
constexpr uint32_t most_polls_to_age = 1024;
constexpr Nanos longest_sleep{10'000'000};  // longest sleep that a frame or control can end
constexpr Nanos long_poll{100'000};  // longer than any poll of a worker that has its core alone
constexpr unsigned long timer_slack_ns = 1000;  // the default lengthens a nap by 50 us

}  // namespace

Worker::Worker(WorkerIndex index, WorkerGroup& group)
    : index_(index),
      group_(group),
      shard_(group.dataplane.shard(index)),
      devices_(*group.pools[group.pools.size() > 1 ? index : 0]),
      poll_(group.dataplane, shard_, devices_, group.options.burst),
      receive_sockets_(group.wakeup.descriptor()),
      adopted_(group.published.load(std::memory_order_acquire)) {
    assert(index < group.workers && adopted() != nullptr);
    devices_.use(adopted()->ports, group.dataplane);
    receive_sockets_.use(adopted()->ports);
}

void Worker::run() {
    shard_.hand_over();
    if (group_.options.idle == Idle::yield) ::prctl(PR_SET_TIMERSLACK, timer_slack_ns, 0, 0, 0);
    bool busy = false;
    bool slept = true;  // the gap before the first poll does not count
    for (Nanos last = group_.clock.now();;) {
        const Nanos now = group_.clock.now();
        assert(now >= last);
        const auto gap = static_cast<uint64_t>((now - last).count());
        (busy ? counters_.busy_ns : counters_.idle_ns).add(gap);
        if (!slept) counters_.longest_gap_ns.raise_to(gap);
        if (busy && now - last > long_poll) shard_.received_until(now, last);
        last = now;
        if (receives_) adopt();  // after the stop, new settings could start a pause again
        if (group_.stopping.load(std::memory_order_acquire) && receives_) stop_receiving();
        busy = poll(now);
        if (const uint32_t clearings = shard_.watermark_clearings(); clearings != clearings_) {
            clearings_ = clearings;
            counters_.longest_gap_ns.set(0);
        }
        counters_.polls.add(1);
        if (busy) counters_.busy_polls.add(1);
        if (!receives_ && is_drained(now)) break;
        slept = rest(busy, now);
    }
    discard_the_rest();
}

bool Worker::poll(Nanos now) {
    const auto done = poll_(now, adopted_.load(std::memory_order_relaxed)->settings.fabric.slots);
    if (done.received > 0) counters_.received.add(done.received);
    if (done.sent > 0) counters_.sent.add(done.sent);
    return done.busy();
}

void Worker::adopt() {
    const PublishedState* const newest = group_.published.load(std::memory_order_acquire);
    if (newest == adopted_.load(std::memory_order_relaxed)) return;
    devices_.use(newest->ports, group_.dataplane);
    receive_sockets_.use(newest->ports);
    shard_.adopt(newest->settings);
    adopted_.store(newest, std::memory_order_release);
}

void Worker::stop_receiving() {
    receives_ = false;
    poll_.stop_receiving();
    stage_.store(Stage::draining, std::memory_order_relaxed);
    shard_.release_peers();
    group_.receive_nothing.fetch_add(1, std::memory_order_acq_rel);
}

// Called after a poll, so that no frame of this worker is between a queue and its device, and every
// XON was sent. Another worker may still have frames there, so each worker has to find the switch
// empty, and a worker that does not makes the others check again.
bool Worker::is_drained(Nanos now) {
    const bool nobody_receives =
        group_.receive_nothing.load(std::memory_order_acquire) == group_.workers;
    if (!nobody_receives || !group_.dataplane.empty() || shard_.has_pending_peer_frames() ||
        devices_.hold_frames() || !poll_.retry().is_acknowledged()) {
        group_.empty.store(0, std::memory_order_release);
    } else {
        group_.empty.fetch_or(1U << index_, std::memory_order_acq_rel);
    }
    const bool all_found_it_empty =
        group_.empty.load(std::memory_order_acquire) == (1U << group_.workers) - 1;
    if (all_found_it_empty || now >= group_.drained_by) {
        group_.drained.store(true, std::memory_order_release);
    }
    return group_.drained.load(std::memory_order_acquire);
}

void Worker::discard_the_rest() {
    stage_.store(Stage::waiting_for_others, std::memory_order_relaxed);
    group_.move_nothing.fetch_add(1, std::memory_order_acq_rel);
    while (group_.move_nothing.load(std::memory_order_acquire) < group_.workers) {
        ::nanosleep(&nap_time, nullptr);
    }
    stage_.store(Stage::discarding, std::memory_order_relaxed);
    poll_.retry().stop();
    Released released;
    for (bool more = true; more;) {
        more = shard_.flush(released);
        devices_.release(released);
    }
    devices_.free_own();
    stage_.store(Stage::ended, std::memory_order_relaxed);
}

bool Worker::rest(bool busy, Nanos now) {
    if (busy || group_.options.idle == Idle::poll) {
        if (idle_polls_ != 0) end_rest();
        return false;
    }
    if (++idle_polls_ < polls_before_yield) return false;
    // A frame that waits for its shaper or the end of its pause must be sent on time.
    if (idle_polls_ < polls_before_sleep || !group_.dataplane.empty()) {
        ::sched_yield();
        return false;
    }
    if (can_be_woken()) return sleep(now);
    nap();
    return true;
}

void Worker::end_rest() {
    idle_polls_ = 0;
    was_readable_ = false;
    if (group_.wakeup.is_announced()) group_.wakeup.end_sleep();
}

void Worker::nap() {
    counters_.sleeps.add(1);
    ::nanosleep(&nap_time, nullptr);
}

// Whether every possible next frame or order wakes the worker. Frames from another worker do not
// wake it, so one of several workers never sleeps.
bool Worker::can_be_woken() const {
    return receives_ && group_.workers == 1 && receive_sockets_.can_wait() && devices_.at_rest() &&
           poll_.retry().at_rest() && shard_.is_at_rest();
}

bool Worker::sleep(Nanos now) {
    const bool ages = shard_.is_to_age(now) || devices_.are_to_age();
    if (ages && polls_to_age_ < most_polls_to_age) {
        ++polls_to_age_;
        ::sched_yield();
        return true;
    }
    // A socket that stays readable although no frame was received would end each sleep at once.
    if (ages || was_readable_) {
        was_readable_ = false;
        nap();
        return true;
    }
    if (!group_.wakeup.is_announced()) {
        group_.wakeup.announce_sleep();
        return false;
    }
    counters_.sleeps.add(1);
    was_readable_ = receive_sockets_.wait(longest_sleep) == ReceiveSockets::End::arrival;
    group_.wakeup.end_sleep();
    polls_to_age_ = 0;
    return true;
}

}  // namespace sluice::pmd
