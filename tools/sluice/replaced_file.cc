#include "tools/sluice/replaced_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "config/yaml/document.h"
#include "config/yaml/fault.h"
#include "config/yaml/text_file.h"

namespace sluice::cli {

namespace {

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(file, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

// Gives the file the owner and mode of the file that it replaces.
bool take_rights(int file, const struct stat& about) {
    struct stat made {};
    if (fstat(file, &made) != 0) return false;
    const bool same_owner = made.st_uid == about.st_uid && made.st_gid == about.st_gid;
    if (!same_owner && fchown(file, about.st_uid, about.st_gid) != 0) return false;
    return fchmod(file, about.st_mode & 07777) == 0;
}

bool is_same(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino &&
           one.st_size == other.st_size && one.st_mtim.tv_sec == other.st_mtim.tv_sec &&
           one.st_mtim.tv_nsec == other.st_mtim.tv_nsec;
}

// Makes the rename survive a power failure.
void sync_folder(const std::string& path) {
    const auto folder = std::filesystem::path(path).parent_path();
    const int open_folder = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open_folder < 0) return;
    ::fsync(open_folder);
    ::close(open_folder);
}

}  // namespace

tl::expected<ReplacedFile, std::string> ReplacedFile::read(const std::string& path) {
    const auto refuse = [&](std::string_view why) {
        return tl::unexpected(fmt::format("{}: {}; `sluice show config >FILE` writes another",
                                          config::escaped(path), why));
    };
    ReplacedFile file;
    std::error_code failed;
    file.path_ = std::filesystem::canonical(path, failed).string();
    if (failed) return refuse("cannot be read: " + failed.message());
    if (stat(file.path_.c_str(), &file.about_) != 0) return refuse(std::strerror(errno));
    auto text = config::read_text_file(file.path_, config::largest_file, config::FileKind::regular);
    if (!text) return refuse(text.error());
    file.text_ = std::move(*text);
    return file;
}

std::string ReplacedFile::replace(std::string_view text) const {
    std::string beside = path_ + ".XXXXXX";
    const int file = mkostemp(beside.data(), O_CLOEXEC);
    const auto fails = [&](std::string_view what, int why) {
        if (file >= 0) ::unlink(beside.c_str());
        return fmt::format("{}: {}: {}; the file is unchanged", config::escaped(path_), what,
                           std::strerror(why));
    };
    if (file < 0) return fails("no file can be created in its folder", errno);
    const bool written = write_all(file, text) && take_rights(file, about_) && ::fsync(file) == 0;
    const int why = errno;
    const bool closed = ::close(file) == 0;
    if (!written || !closed) return fails("cannot be written", written ? errno : why);
    struct stat now {};
    if (stat(path_.c_str(), &now) != 0 || !is_same(now, about_)) {
        ::unlink(beside.c_str());
        return fmt::format(
            "{}: another program changed the file just now, so it is not replaced; try again",
            config::escaped(path_));
    }
    if (::rename(beside.c_str(), path_.c_str()) != 0) return fails("cannot be replaced", errno);
    sync_folder(path_);
    return {};
}

}  // namespace sluice::cli
