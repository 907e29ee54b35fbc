// LockFile: a file that one process has at a time, for what only one of ours may have. The lock
// ends with the process.
//
// Whoever can open a file can lock it, for as long as he likes. So the file is 0600, in a folder of
// ours that is 0755, and neither is a symbolic link. A file that an older version left open to
// others is closed to them. It is made anew where a process of another user, real or effective, has
// locked it, or where it is open to others and nobody is seen who has it; who does that holds
// `.replacing` in the folder meanwhile.
// Bound: waits `patience` for each process that takes the lock, anew whenever it changes hands, and
// not once SIGTERM or SIGINT has come; then the error names who has it (flock(2) never waits here).
// A process is named only if it has the file open, which root sees of every process in its own PID
// namespace.
// Who is not root and may not write to the folder goes without: nobody is kept apart there.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "pmd_glue/error.h"

namespace sluice::pmd {

// Where files of ours are that go with the machine's memory.
inline constexpr const char* run_folder = "/run/sluice";

struct LockRequest {
    std::string key;    // of an error: whose fault it is, in the operator's words
    std::string path;   // of the file; its folder is made where it is missing
    std::string thing;  // that the lock stands for, as in `process 7 (sluiced) has eth0`
    std::chrono::milliseconds patience{0};  // with each holder
};

class LockFile {
  public:
    static tl::expected<LockFile, Error> take(const LockRequest& request);

    LockFile() = default;  // has none
    LockFile(LockFile&& other) noexcept;
    LockFile& operator=(LockFile&& other) noexcept;
    ~LockFile();  // lets go; the file stays

    // The file goes, too.
    void remove();

    // False: it has none, also where it had to go without.
    [[nodiscard]] explicit operator bool() const { return file_ >= 0; }
    // To read and write what its holder wants to leave behind. -1: none.
    [[nodiscard]] int descriptor() const { return file_; }

  private:
    LockFile(std::string path, int file) : path_(std::move(path)), file_(file) {}

    std::string path_;
    int file_ = -1;
};

}  // namespace sluice::pmd
