#include "tools/sim/scenario/text_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace sluice::sim {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

tl::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t most) {
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown))
        return tl::unexpected(std::string("is a folder"));
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
    if (!file) return tl::unexpected(std::string("cannot be read: ") + std::strerror(errno));
    std::string text;
    std::array<char, 65536> part;
    while (text.size() <= most) {
        const std::size_t wanted = std::min(part.size(), most + 1 - text.size());
        const std::size_t read = std::fread(part.data(), 1, wanted, file.get());
        text.append(part.data(), read);
        if (read < wanted) break;
    }
    if (std::ferror(file.get()) == 0) return text;
    return tl::unexpected(std::string("cannot be read: ") + std::strerror(errno));
}

}  // namespace sluice::sim
