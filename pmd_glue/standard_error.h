// StandardError: what this process says on standard error, without ever waiting for who reads it.
//
// A pipe that nobody empties, a terminal that is held, a journal that is stuck: a write waits for
// them, and control with it, for ever. So what cannot be written at once is lost, and counted. A
// reader that has gone costs no more than that: where the process has ignored SIGPIPE, it goes on.
//
// Standard error is shared with others, such as the shell, so O_NONBLOCK may not be set on it. A
// pipe or a terminal is opened anew by its name in /proc, which gives a description of our own; a
// socket is asked not to wait at each send; a file makes nobody wait. Where it may not be opened
// (another user's) poll(2) says beforehand whether there is room: then one may still wait who is
// overtaken by another writer of the same pipe, or whose line is longer than a terminal's room.
// Not a queue with a thread that empties it, as spdlog has: to stop, that waits for the reader. And
// a pipe is a queue, of 64 KiB.
// Bound: of a text that was taken in part the rest is kept, and goes before the next.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

class StandardError {
  public:
    // `descriptor` stays the caller's.
    explicit StandardError(int descriptor);

    // From any thread. False: nothing of it was taken.
    bool offer(std::string_view text);
    // The same, and what was not taken counts as a line that was lost.
    void write(std::string_view text);
    // A line was lost that was not even offered.
    void lose() { lost_.fetch_add(1, std::memory_order_relaxed); }

    // Who writes to `descriptor` by himself does not wait either, where it could be opened anew.
    void stand_in_for(int descriptor) const;

    [[nodiscard]] uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

  private:
    const FileDescriptor opened_;  // anew; not open: it could not be, or need not
    const int descriptor_;         // that is written to
    std::mutex mutex_;
    std::string rest_;
    std::atomic<uint64_t> lost_{0};
};

// This process's. The first call ignores SIGPIPE, and stands in for standard error, for the sake of
// what libraries print by themselves.
StandardError& standard_error();

// Returns how many octets were taken. For a signal's handler, too.
std::size_t write_without_waiting(int descriptor, std::string_view text);

}  // namespace sluice::pmd
