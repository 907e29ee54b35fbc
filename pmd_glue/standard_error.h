// StandardError: writes to this process's standard error without ever waiting for its reader.
//
// A write to a pipe that is not emptied, a stopped terminal or a stuck journal would block control
// for ever. So text that cannot be written at once is lost, and counted. The same happens when the
// reader has gone, as the process ignores SIGPIPE.
//
// Standard error is shared with others, such as the shell, so O_NONBLOCK may not be set on it. A
// pipe or a terminal is opened again by its name in /proc, which gives an open file description of
// our own. A socket is told at each send not to wait; a file never blocks. If a pipe or terminal
// may not be opened (another user's), poll(2) checks beforehand whether there is room. Then a write
// may still block, if another writer fills the pipe first, or if the line is longer than the
// terminal's room.
// A queue with a thread that empties it, as in spdlog, is not used: stopping it waits for the
// reader, and a pipe is a queue itself, of 64 KiB.
// Bound: if a text was written in part, the rest is kept and written before the next text.
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
    // The same; text that was not taken counts as a lost line.
    void write(std::string_view text);
    // A line was lost that was not even offered.
    void lose() { lost_.fetch_add(1, std::memory_order_relaxed); }

    // Makes direct writes to `descriptor` not wait either, if it could be opened anew.
    void stand_in_for(int descriptor) const;

    [[nodiscard]] uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

  private:
    const FileDescriptor opened_;  // anew; not open: it could not be, or need not
    const int descriptor_;         // that is written to
    std::mutex mutex_;
    std::string rest_;
    std::atomic<uint64_t> lost_{0};
};

// The StandardError of this process. The first call ignores SIGPIPE, and replaces standard error,
// so that libraries that print to it do not block either.
StandardError& standard_error();

// Returns how many octets were taken. For a signal's handler, too.
std::size_t write_without_waiting(int descriptor, std::string_view text);

}  // namespace sluice::pmd
