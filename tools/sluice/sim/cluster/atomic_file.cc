#include "tools/sluice/sim/cluster/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace sluice::cli {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// Returns a name that is unique to this process, among all machines that share the folder.
std::string part_of(const std::filesystem::path& path) {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    return fmt::format("{}.{}.{}.part", path.string(), host.data(), ::getpid());
}

}  // namespace

std::string write_atomically(const std::filesystem::path& path, std::string_view text) {
    const std::string part = part_of(path);
    const auto failed = [&] {
        const int why = errno;
        std::remove(part.c_str());
        return fmt::format("{} cannot be written: {}", path.string(), std::strerror(why));
    };
    File file(std::fopen(part.c_str(), "wbe"));
    if (!file) return failed();
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) return failed();
    if (std::fclose(file.release()) != 0) return failed();
    if (std::rename(part.c_str(), path.c_str()) != 0) return failed();
    return {};
}

std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t longest) {
    const File file(std::fopen(path.c_str(), "rbe"));
    if (!file) return std::nullopt;
    std::string text;
    std::array<char, 65536> piece;
    while (const std::size_t octets = std::fread(piece.data(), 1, piece.size(), file.get())) {
        text.append(piece.data(), octets);
        if (text.size() > longest) return std::nullopt;
    }
    if (std::ferror(file.get()) != 0) return std::nullopt;
    return text;
}

}  // namespace sluice::cli
