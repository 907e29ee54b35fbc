#include "pmd_glue/runtime_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "sluice-";

// Returns the process in the name of a folder; nothing if the name is not one of ours.
std::optional<pid_t> process_of(std::string_view name) {
    if (!name.starts_with(prefix)) return {};
    name.remove_prefix(prefix.size());
    pid_t process = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (fault != std::errc() || end != name.data() + name.size() || process <= 0) return {};
    return process;
}

bool is_folder_of_ours(const fs::path& path) {
    struct stat about {};
    return ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
           about.st_uid == ::geteuid();
}

// Returns whether the process has ended, in our PID namespace.
bool has_ended(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

// Returns whether a process of any namespace uses the folder: EAL keeps a write lock on the file
// that it shares with secondary processes.
bool is_in_use(const fs::path& folder) {
    const FileDescriptor file(
        ::open((folder / "config").c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open()) return errno != ENOENT;
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return ::fcntl(file.number(), F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

}  // namespace

std::string own_prefix() { return std::string(prefix) + std::to_string(::getpid()); }

void remove_own_runtime_folder(const std::string& ours) {
    const fs::path path(ours);
    std::error_code ignored;
    if (path.filename() == own_prefix() && is_folder_of_ours(path)) fs::remove_all(path, ignored);
}

void remove_runtime_folders_of_the_dead(const std::string& beside) {
    const fs::path folder = fs::path(beside).parent_path();
    std::error_code ignored;
    std::vector<fs::path> left;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end;
         entry.increment(ignored)) {
        const auto process = process_of(entry->path().filename().native());
        if (process && has_ended(*process) && is_folder_of_ours(entry->path()) &&
            !is_in_use(entry->path())) {
            left.push_back(entry->path());
        }
    }
    for (const fs::path& path : left) fs::remove_all(path, ignored);
}

}  // namespace sluice::pmd
