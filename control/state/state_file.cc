#include "control/state/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "control/state/checksum.h"
#include "dataplane/forward/hash.h"

namespace sluice::control {

namespace {

constexpr mode_t for_owner_alone = 0600;
constexpr mode_t folder_mode = 0750;

bool write_all(const StateDescriptor& file, std::string_view text) {
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t put = ::write(file.number(), &text[written], text.size() - written);
        if (put <= 0) return false;
        written += static_cast<std::size_t>(put);
    }
    return ::fsync(file.number()) == 0;
}

std::string reason() { return std::strerror(errno); }

// Whether a shell needs no quotes for the character.
bool is_plain(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '.' || letter == '_';
}

}  // namespace

std::string state_file_name(std::string_view kind, std::string_view socket) {
    if (socket == config::default_socket) return fmt::format("{}.json", kind);
    std::string name(socket.substr(socket.rfind('/') + 1));
    std::ranges::replace_if(
        name, [](char letter) { return !is_plain(letter); }, '_');
    return fmt::format("{}-{}-{:08x}.json", kind, name, hash_of(socket, 0) >> 32);
}

StateDescriptor::StateDescriptor(const std::string& path, int flags, unsigned mode)
    : number_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode)) {}

StateDescriptor::~StateDescriptor() {
    if (is_open()) ::close(number_);
}

std::string StateFile::claim() {
    if (lock_.is_open()) return {};
    const std::string path = path_ + ".lock";
    StateDescriptor lock(path, O_RDWR | O_CREAT | O_NONBLOCK, for_owner_alone);
    // A process that may not write in the folder needs no lock.
    if (!lock.is_open()) return {};
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) == 0) {
        lock_ = std::move(lock);
    } else if (errno == EWOULDBLOCK) {
        return fmt::format("{}: used by another switch with the same control.socket", path_);
    }
    return {};
}

StateFile StateFile::of(const config::ControlConfig& control, std::string_view kind,
                        std::size_t longest) {
    const std::string name = state_file_name(kind, control.socket);
    const std::string usual = fmt::format("{}.json", kind);
    StateFile file(control.state, name, longest);
    if (name != usual) file.older_ = fmt::format("{}/{}", control.state, usual);
    return file;
}

StateFile::Content StateFile::read() const {
    Content content = read_from(path_);
    content.path = path_;
    if (content.is_there || older_.empty()) return content;
    content = read_from(older_);
    content.path = older_;
    const bool is_older = content.is_there && content.unreadable.empty() &&
                          content.refused.empty() && checksum_of(content.text) == Checksum::missing;
    return is_older ? content : Content();
}

StateFile::Content StateFile::read_from(const std::string& path) const {
    // O_NONBLOCK: opening a pipe would wait for its writer.
    const StateDescriptor file(path, O_RDONLY | O_NONBLOCK);
    if (!file.is_open()) {
        if (errno == ENOENT || errno == ENOTDIR) return {};
        if (errno == ELOOP) return {.is_there = true, .refused = "a link"};
        return {.is_there = true, .unreadable = reason()};
    }
    struct stat about {};
    if (::fstat(file.number(), &about) != 0) return {.is_there = true, .unreadable = reason()};
    if (!S_ISREG(about.st_mode)) return {.is_there = true, .refused = "no file"};
    if (about.st_uid != ::geteuid()) {
        return {.is_there = true, .refused = fmt::format("user {}'s", about.st_uid)};
    }
    if (about.st_size > static_cast<off_t>(longest_)) {
        return {.is_there = true, .refused = fmt::format("longer than {} octets", longest_)};
    }
    std::string text(static_cast<std::size_t>(about.st_size), '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t got = ::read(file.number(), &text[filled], text.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return {.is_there = true, .unreadable = reason()};
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    text.resize(filled);
    return {.is_there = true, .text = std::move(text)};
}

std::string StateFile::set_aside(const Content& content, std::string_view suffix) {
    const std::string aside = fmt::format("{}.{}", content.path, suffix);
    if (::rename(content.path.c_str(), aside.c_str()) == 0) return "it was renamed to " + aside;
    return fmt::format("it stays ({})", reason());
}

std::string StateFile::write(std::string_view text) {
    std::error_code ignored;
    if (std::filesystem::create_directories(folder_, ignored)) {
        ::chmod(folder_.c_str(), folder_mode);
    }
    if (std::string another = claim(); !another.empty()) return another;
    if (::access(path_.c_str(), R_OK) != 0 && errno == EACCES) {
        return path_ + ": stays as it is, since what is in it cannot be read";
    }
    const std::string fresh = path_ + ".new";
    ::unlink(fresh.c_str());
    const auto fails = [](const std::string& with) {
        return fmt::format("{}: cannot be written ({})", with, reason());
    };
    const StateDescriptor file(fresh, O_WRONLY | O_CREAT | O_EXCL, for_owner_alone);
    if (!file.is_open() || !write_all(file, text)) return fails(fresh);
    if (::rename(fresh.c_str(), path_.c_str()) != 0) return fails(path_);
    const StateDescriptor folder(folder_, O_RDONLY | O_DIRECTORY);
    if (folder.is_open()) ::fsync(folder.number());
    return {};
}

}  // namespace sluice::control
