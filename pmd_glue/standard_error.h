// StandardError: writes to this process's standard error without ever waiting for its reader.
//
// A write to a pipe that is not emptied, a stopped terminal or a stuck journal would block control
// forever. So text that cannot be written at once is lost, and counted. Text is also lost when the
// reader has closed the pipe, as the process ignores SIGPIPE.
//
// Standard error is shared with others, such as the shell, so O_NONBLOCK may not be set on it. A
// pipe or a terminal is opened again by its name in /proc, which gives an open file description of
// our own. Each send to a socket has MSG_DONTWAIT; a file never blocks. If a pipe or terminal of
// another user may not be opened, poll(2) checks beforehand whether there is room. Then a write may
// still block, if another writer fills the pipe first, or if the line is longer than the terminal's
// room.
// No queue with a thread that empties it, as in spdlog: stopping it would wait for the reader, and
// a pipe is itself a queue of 64 KiB.
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
    // `descriptor` is not closed here.
    explicit StandardError(int descriptor);

    // Writes the text. Returns false if none of it was written. Any thread may call it.
    bool offer(std::string_view text);
    // Writes the text, and counts a lost line if none of it was written.
    void write(std::string_view text);
    // Counts a lost line that was never passed to `write`.
    void lose() { lost_.fetch_add(1, std::memory_order_relaxed); }

    // If the file was opened anew, puts the new description at `descriptor` as well (dup2), so that
    // direct writes there do not block either. Otherwise does nothing.
    void stand_in_for(int descriptor) const;

    [[nodiscard]] uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

  private:
    // New description of the file; not open if opening anew failed or is not needed.
    const FileDescriptor opened_;
    const int descriptor_;  // descriptor that is written to
    std::mutex mutex_;
    std::string rest_;
    std::atomic<uint64_t> lost_{0};
};

// Returns the StandardError of this process. The first call ignores SIGPIPE, and replaces standard
// error, so that libraries that print to it do not block either.
StandardError& standard_error();

// Returns how many octets were written. Safe in a signal handler.
std::size_t write_without_waiting(int descriptor, std::string_view text);

}  // namespace sluice::pmd
