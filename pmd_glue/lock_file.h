// LockFile: a file that one process locks at a time, for resources that only one sluice process may
// use. The lock ends with the process.
//
// A user who can open a file can lock it forever. So the file has mode 0600, in a folder of the
// same owner with mode 0755, and neither may be a symbolic link. If an older version left the file
// open to others, its mode is corrected. The file is replaced by a new one if a process of another
// user (real or effective) has locked it, or if it is open to others and its holder cannot be
// found; the process that replaces it locks `.replacing` in the folder, so that two processes do
// not replace it at once.
// Bound: waits `patience` for each process that holds the lock, restarting when the holder changes,
// and ends when SIGTERM or SIGINT arrives; then the error names the holder (flock(2) itself never
// waits here). A holder is named only if it has the file open, which root can see for every process
// of its own PID namespace.
// A user who is not root and may not write to the folder gets no lock: processes are not kept
// apart.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "pmd_glue/error.h"
#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

// Folder of the files that are lost when the machine restarts.
inline constexpr const char* run_folder = "/run/sluice";

struct LockRequest {
    std::string key;    // subject of an error, in the operator's words
    std::string path;   // path of the file; its folder is created if missing
    std::string thing;  // what the lock protects, as in `process 7 (sluiced) has eth0`
    std::chrono::milliseconds patience{0};  // longest wait for each holder
};

class LockFile {
  public:
    static tl::expected<LockFile, Error> take(const LockRequest& request);

    LockFile() = default;  // holds no lock

    // Releases the lock and removes the file. The destructor releases the lock and keeps the file.
    void remove();

    // Whether the lock is held; false also if `take` had to continue without a lock.
    [[nodiscard]] explicit operator bool() const { return file_.is_open(); }
    // Descriptor to read and write data that the holder leaves for the next one; -1 without a lock.
    [[nodiscard]] int descriptor() const { return file_.number(); }

  private:
    LockFile(std::string path, FileDescriptor file)
        : path_(std::move(path)), file_(std::move(file)) {}

    std::string path_;
    FileDescriptor file_;
};

}  // namespace sluice::pmd
