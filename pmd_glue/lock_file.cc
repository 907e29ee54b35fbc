#include "pmd_glue/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace sluice::pmd {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

// File whose lock a process holds while it removes another user's file from the folder.
constexpr const char* replacing = ".replacing";
// Most retries without a wait if the file was removed after it was opened.
constexpr int most_at_once = 100;

struct Holder {
    pid_t process = 0;  // process that has the file open and locked; 0 if none is visible
    bool stranger = false;
    std::string name;
};

// Why the file could not be locked, and the remedy.
struct Obstacle {
    std::string what;
    std::string remedy;
    pid_t taker = 0;  // process that took the lock, as the kernel reports it; it may have ended
    enum { stays, may_pass, gone } kind = stays;
};

// Replaces unprintable letters: a process chooses its own name, which must not control a terminal.
std::string printable(std::string name) {
    for (char& letter : name) {
        if (letter < 0x20 || letter > 0x7E) letter = '?';
    }
    return name;
}

// Returns the process in a line such as `1: FLOCK ADVISORY WRITE 708 00:18:1443 0 EOF`; nothing if
// the line is not a lock of `file`, 0 if the process is not visible here.
std::optional<pid_t> taker_in(const std::string& line, const struct stat& file) {
    std::istringstream words(line);
    std::string number, kind, mode, access, device;
    pid_t process = 0;
    if (!(words >> number >> kind >> mode >> access >> process >> device)) return {};
    unsigned major_number = 0, minor_number = 0;
    unsigned long inode = 0;
    if (kind != "FLOCK" ||
        std::sscanf(device.c_str(), "%x:%x:%lu", &major_number, &minor_number, &inode) != 3 ||
        makedev(major_number, minor_number) != file.st_dev || inode != file.st_ino) {
        return {};
    }
    return process;
}

pid_t taker_of(const struct stat& file) {
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        if (const auto process = taker_in(line, file)) return *process;
    }
    return 0;
}

// Whether the process has an open file with the lock. The file may be inherited from the process
// that took the lock.
bool has_locked(const fs::path& process, const struct stat& file) {
    const std::string key = "lock:";
    std::error_code ignored;
    for (fs::directory_iterator entry(process / "fdinfo", ignored), end; entry != end;
         entry.increment(ignored)) {
        std::ifstream about(entry->path());
        for (std::string line; std::getline(about, line);) {
            if (line.starts_with(key) && taker_in(line.substr(key.size()), file)) return true;
        }
    }
    return false;
}

// Returns the process that holds the lock; 0 if there is none that we may inspect.
pid_t find_holder(const struct stat& file) {
    std::error_code ignored;
    for (fs::directory_iterator entry("/proc", ignored), end; entry != end;
         entry.increment(ignored)) {
        const std::string name = entry->path().filename();
        const bool process = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
        if (process && has_locked(entry->path(), file)) return std::stoi(name);
    }
    return 0;
}

// Sets name and `stranger`. The owner of the process's folder in /proc is not used: the owner is
// root if a process prevents others from inspecting it. A setuid program runs for its real user.
void describe(Holder& holder, pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string key; status >> key;) {
        uid_t real = 0, effective = 0;
        if (key == "Name:") {
            status >> holder.name;
        } else if (key == "Uid:" && status >> real >> effective) {
            holder.stranger = real != ::geteuid() || effective != ::geteuid();
            break;
        }
        std::string rest;
        std::getline(status, rest);
    }
}

// Returns the holder of the lock. `everywhere`: inspects every process if `taker` no longer holds
// it.
Holder holder_of(const struct stat& file, pid_t taker, bool everywhere) {
    Holder holder;
    if (taker > 0 && has_locked("/proc/" + std::to_string(taker), file)) {
        holder.process = taker;
    } else if (everywhere) {
        holder.process = find_holder(file);
    }
    if (holder.process > 0) {
        describe(holder, holder.process);
    } else if (taker > 0) {
        describe(holder, taker);  // open files of the taker may be invisible here
    }
    return holder;
}

std::string text_of(const Holder& holder) {
    if (holder.process <= 0) return "another process";
    std::string text = "process " + std::to_string(holder.process);
    return holder.name.empty() ? text : text + " (" + printable(holder.name) + ")";
}

// Sleeps for 20 ms. Returns false if SIGTERM or SIGINT arrived, blocked or handled.
bool may_wait_longer() {
    const timespec instant{.tv_sec = 0, .tv_nsec = 20'000'000};
    if (::nanosleep(&instant, nullptr) != 0) return false;
    sigset_t pending;
    sigemptyset(&pending);
    ::sigpending(&pending);
    return sigismember(&pending, SIGTERM) == 0 && sigismember(&pending, SIGINT) == 0;
}

Error amiss(const LockRequest& request, const std::string& path, const std::string& what,
            const std::string& remedy) {
    return {request.key, path + " " + what, remedy};
}

// Returns a descriptor that is not open if we may not write to the folder.
tl::expected<FileDescriptor, Error> open_folder(const LockRequest& request,
                                                const std::string& path) {
    ::mkdir(path.c_str(), 0755);
    FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.is_open()) {
        if (errno != ENOTDIR && errno != ELOOP) return folder;
        return tl::unexpected(amiss(request, path, "is no folder", "remove it: `rm " + path + "`"));
    }
    struct stat about {};
    if (::fstat(folder.number(), &about) != 0) return FileDescriptor();
    if (about.st_uid != ::geteuid()) {
        if (::geteuid() != 0) return FileDescriptor();
        return tl::unexpected(amiss(request, path,
                                    "belongs to user " + std::to_string(about.st_uid) +
                                        ", which could prevent the switch from starting",
                                    "give it back: `chown root " + path + "`"));
    }
    if ((about.st_mode & 0022) != 0) ::fchmod(folder.number(), 0755);
    return folder;
}

std::string remedy_for(int fault, const std::string& path) {
    switch (fault) {
        case ENOSPC:
        case EDQUOT:
            return "make room: `df " + path + "` shows where";
        case EMFILE:
            return "allow it more open files: `ulimit -n`";
        case ENFILE:
            return "allow more open files: `sysctl fs.file-max`";
        case ELOOP:
        case EISDIR:
        case ENXIO:
            return "remove it: `rm -r " + path + "`";
        default:
            return "see to it that it can be";
    }
}

struct OpenFile {
    FileDescriptor file;
    bool open_to_others = false;
};

// Returns a descriptor that is not open if the folder is not writable.
tl::expected<OpenFile, Obstacle> open_file(const std::string& path, int folder,
                                           const std::string& name) {
    FileDescriptor file(::openat(folder, name.c_str(),
                                 O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!file.is_open()) {
        const int fault = errno;
        if (fault == EACCES || fault == EPERM || fault == EROFS) return OpenFile();
        const char* why = fault == ELOOP ? "it is a symbolic link" : std::strerror(fault);
        return tl::unexpected(
            Obstacle{path + " cannot be opened: " + why, remedy_for(fault, path)});
    }
    struct stat about {};
    if (::fstat(file.number(), &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_uid != ::geteuid()) {
        return tl::unexpected(
            Obstacle{path + " is no file of ours", "remove it: `rm -r " + path + "`"});
    }
    return OpenFile{std::move(file), (about.st_mode & 0077) != 0};
}

bool is_named(int folder, const std::string& name, const struct stat& file) {
    struct stat now {};
    return ::fstatat(folder, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 &&
           now.st_dev == file.st_dev && now.st_ino == file.st_ino;
}

// Removes `name` from the folder, if it is still the name of `file`. Checking and removing are two
// steps, so a process locks `.replacing` for them: otherwise it could remove the file that another
// process has just made. Other users could never open `.replacing`, so they cannot hold its lock.
// It is no error if another process has the lock and is about to remove `name`.
tl::expected<void, Obstacle> replace(const LockRequest& request, int folder,
                                     const std::string& name, const struct stat& file) {
    const std::string path = fs::path(request.path).parent_path() / replacing;
    const auto opened = open_file(path, folder, replacing);
    if (!opened) return tl::unexpected(opened.error());
    if (!opened->file.is_open()) {
        return tl::unexpected(Obstacle{path + " cannot be opened", "see to it that it can be"});
    }
    if (::flock(opened->file.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return {};
        return tl::unexpected(Obstacle{path + " cannot be locked: " + std::strerror(errno), {}});
    }
    if (is_named(folder, name, file) && ::unlinkat(folder, name.c_str(), 0) != 0) {
        return tl::unexpected(Obstacle{std::strerror(errno), {}});
    }
    return {};
}

// Tries once. Returns a descriptor that is not open if the process has to work without a lock.
tl::expected<FileDescriptor, Obstacle> try_once(const LockRequest& request, int folder,
                                                const std::string& name,
                                                std::optional<pid_t> taker_before) {
    auto opened = open_file(request.path, folder, name);
    if (!opened) return tl::unexpected(opened.error());
    FileDescriptor& file = opened->file;
    if (!file.is_open()) return std::move(file);
    const int fault = ::flock(file.number(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    struct stat about {};
    ::fstat(file.number(), &about);
    // A lock does not count if another process has removed the file's name since it was opened.
    if (fault == 0 && is_named(folder, name, about)) {
        if (opened->open_to_others) ::fchmod(file.number(), 0600);
        return std::move(file);
    }
    if (fault == 0) {
        return tl::unexpected(Obstacle{request.path + " is removed repeatedly",
                                       "stop the process that removes it", 0, Obstacle::gone});
    }
    if (fault != EWOULDBLOCK) {
        return tl::unexpected(
            Obstacle{request.path + " cannot be locked: " + std::strerror(fault),
                     "use a file system there that supports locks, such as tmpfs"});
    }
    const pid_t taker = taker_of(about);
    const Holder holder = holder_of(about, taker, taker != taker_before);
    Obstacle locked{
        text_of(holder) + " has " + request.thing + ": " + request.path + " is locked",
        "stop it first: " + (holder.process > 0 ? "`kill " + std::to_string(holder.process) + "`"
                                                : "`fuser " + request.path + "` shows which it is"),
        taker, Obstacle::may_pass};
    const bool unknown = holder.process <= 0;
    if (holder.stranger || (unknown && opened->open_to_others)) {
        if (const auto done = replace(request, folder, name, about); done) {
            locked.kind = Obstacle::gone;
        } else {
            locked.what += " and cannot be replaced: " + done.error().what;
            if (!done.error().remedy.empty()) locked.remedy = done.error().remedy;
        }
    }
    return tl::unexpected(std::move(locked));
}

}  // namespace

tl::expected<LockFile, Error> LockFile::take(const LockRequest& request) {
    const fs::path path(request.path);
    const auto folder = open_folder(request, path.parent_path());
    if (!folder) return tl::unexpected(folder.error());
    if (!folder->is_open()) return LockFile();
    auto limit = steady_clock::now() + request.patience;
    std::optional<pid_t> taker;  // process that held the lock at the last try
    for (int gone = 0;;) {
        const bool last = steady_clock::now() >= limit;
        auto file =
            try_once(request, folder->number(), path.filename(), last ? std::nullopt : taker);
        if (file) return file->is_open() ? LockFile(request.path, std::move(*file)) : LockFile();
        const Obstacle& obstacle = file.error();
        const bool at_once = obstacle.kind == Obstacle::gone && ++gone < most_at_once;
        const bool another =
            obstacle.kind == Obstacle::may_pass && taker && obstacle.taker != *taker;
        if (another) limit = steady_clock::now() + request.patience;
        const bool fails = obstacle.kind == Obstacle::stays || (last && !another);
        if (fails && !at_once) {
            return tl::unexpected(Error{request.key, obstacle.what, obstacle.remedy});
        }
        if (!at_once && !may_wait_longer()) {
            return tl::unexpected(Error{request.key, "stopped by a signal while " + obstacle.what,
                                        "start again once the lock is released"});
        }
        if (obstacle.kind == Obstacle::may_pass) taker = obstacle.taker;
    }
}

// Removes the file before unlocking it, so that no process locks a file that is about to be
// removed.
void LockFile::remove() {
    if (!file_.is_open()) return;
    ::unlink(path_.c_str());
    file_.close();
}

}  // namespace sluice::pmd
