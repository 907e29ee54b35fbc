#include "control/proof/proof_file.h"

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

// Nothing: it cannot be read, or is no file of a size that proofs have.
std::optional<std::string> content_of(const Descriptor& file) {
    struct stat about {};
    if (::fstat(file.number(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
    if (about.st_size > static_cast<off_t>(longest_proofs)) return {};
    std::string text(static_cast<std::size_t>(about.st_size), '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t got = ::read(file.number(), &text[filled], text.size() - filled);
        if (got <= 0) break;
        filled += static_cast<std::size_t>(got);
    }
    text.resize(filled);
    return text;
}

bool write_all(const Descriptor& file, const std::string& text) {
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t put = ::write(file.number(), &text[written], text.size() - written);
        if (put <= 0) return false;
        written += static_cast<std::size_t>(put);
    }
    return ::fsync(file.number()) == 0;
}

std::string reason() { return std::strerror(errno); }

std::string path_in(const std::string& folder) { return folder + "/proofs.json"; }

struct Found {
    bool is_there = false;
    std::string why;  // it cannot be read
    std::optional<Proofs> proofs;
};

Found read(const std::string& path) {
    // Whatever it is, it is not waited for.
    const Descriptor file(path, O_RDONLY | O_NONBLOCK);
    if (!file.is_open()) {
        if (errno == ENOENT || errno == ENOTDIR) return {};
        if (errno == ELOOP) return {.is_there = true};  // a link to elsewhere
        return {.is_there = true, .why = reason()};
    }
    const std::optional<std::string> text = content_of(file);
    return {.is_there = true, .proofs = text ? Proofs::read(*text) : std::nullopt};
}

}  // namespace

ProofFile ProofFile::open(const std::string& folder) {
    ProofFile file;
    file.folder_ = folder;
    const std::string path = path_in(folder);
    Found found = read(path);
    if (found.proofs) {
        file.proofs_ = std::move(*found.proofs);
    } else if (!found.why.empty()) {
        file.notices_.push_back(
            fmt::format("{}: cannot be read ({}), so nothing is proved by it", path, found.why));
    } else if (found.is_there) {
        const std::string aside = path + ".damaged";
        const bool moved = ::rename(path.c_str(), aside.c_str()) == 0;
        file.notices_.push_back(fmt::format(
            "{}: damaged, so nothing is proved by it; {}; `sluice doctor --cable A B` proves ports "
            "anew",
            path, moved ? "it is set aside as " + aside : "it stays (" + reason() + ")"));
    }
    return file;
}

Proofs ProofFile::peek(const std::string& folder) {
    return read(path_in(folder)).proofs.value_or(Proofs());
}

std::string ProofFile::add(const Circumstances& circumstances, const Seen& seen) {
    if (!proofs_.add(circumstances, seen)) return {};
    return folder_.empty() ? std::string() : write();
}

std::string ProofFile::write() const {
    std::error_code ignored;
    if (std::filesystem::create_directories(folder_, ignored)) {
        ::chmod(folder_.c_str(), folder_mode);
    }
    const std::string path = path_in(folder_);
    const std::string fresh = path + ".new";
    ::unlink(fresh.c_str());
    const auto fails = [&](const std::string& with) {
        return fmt::format(
            "{}: cannot be written ({}), so what was proved is forgotten at the end; "
            "make control.state a folder of sluiced's",
            with, reason());
    };
    const Descriptor file(fresh, O_WRONLY | O_CREAT | O_EXCL, for_owner_alone);
    if (!file.is_open() || !write_all(file, proofs_.text())) return fails(fresh);
    if (::rename(fresh.c_str(), path.c_str()) != 0) return fails(path);
    const Descriptor folder(folder_, O_RDONLY | O_DIRECTORY);
    if (folder.is_open()) ::fsync(folder.number());
    return {};
}

}  // namespace sluice::control
