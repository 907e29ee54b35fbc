#include "control/state/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace sluice::control {

namespace {

constexpr mode_t for_owner_alone = 0600;
constexpr mode_t folder_mode = 0750;

class Descriptor {
  public:
    Descriptor(const std::string& path, int flags, mode_t mode = 0)
        : number_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (is_open()) ::close(number_);
    }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_;
};

bool write_all(const Descriptor& file, std::string_view text) {
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t put = ::write(file.number(), &text[written], text.size() - written);
        if (put <= 0) return false;
        written += static_cast<std::size_t>(put);
    }
    return ::fsync(file.number()) == 0;
}

std::string reason() { return std::strerror(errno); }

}  // namespace

StateFile::Content StateFile::read() const {
    // Non-blocking: opening a pipe would wait for its writer.
    const Descriptor file(path_, O_RDONLY | O_NONBLOCK);
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

std::string StateFile::set_aside(std::string_view suffix) const {
    const std::string aside = fmt::format("{}.{}", path_, suffix);
    if (::rename(path_.c_str(), aside.c_str()) == 0) return "it is set aside as " + aside;
    return fmt::format("it stays ({})", reason());
}

std::string StateFile::write(std::string_view text) const {
    std::error_code ignored;
    if (std::filesystem::create_directories(folder_, ignored)) {
        ::chmod(folder_.c_str(), folder_mode);
    }
    if (::access(path_.c_str(), R_OK) != 0 && errno == EACCES) {
        return path_ + ": stays as it is, since what is in it cannot be read";
    }
    const std::string fresh = path_ + ".new";
    ::unlink(fresh.c_str());
    const auto fails = [](const std::string& with) {
        return fmt::format("{}: cannot be written ({})", with, reason());
    };
    const Descriptor file(fresh, O_WRONLY | O_CREAT | O_EXCL, for_owner_alone);
    if (!file.is_open() || !write_all(file, text)) return fails(fresh);
    if (::rename(fresh.c_str(), path_.c_str()) != 0) return fails(path_);
    const Descriptor folder(folder_, O_RDONLY | O_DIRECTORY);
    if (folder.is_open()) ::fsync(folder.number());
    return {};
}

}  // namespace sluice::control
