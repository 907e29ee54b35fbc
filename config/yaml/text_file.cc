#include "config/yaml/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace sluice::config {

namespace {

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_;
};

tl::unexpected<std::string> unreadable() {
    return tl::unexpected(std::string("cannot be read: ") + std::strerror(errno));
}

bool is_regular(int descriptor) {
    struct stat about {};
    return fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
}

}  // namespace

tl::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t most,
                                                      FileKind kind) {
    // Without O_NONBLOCK the opening of a pipe would wait for a writer. The flag has no effect on
    // regular files.
    const int wait = kind == FileKind::regular ? O_NONBLOCK : 0;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | wait));
    if (file.number() < 0) return unreadable();
    if (kind == FileKind::regular && !is_regular(file.number())) {
        return tl::unexpected(std::string("is a pipe, device or directory, which is not read"));
    }
    std::string text;
    std::array<char, 65536> part;
    while (text.size() <= most) {
        const ssize_t got =
            read(file.number(), part.data(), std::min(part.size(), most + 1 - text.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return unreadable();
        if (got == 0) break;
        text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
}

}  // namespace sluice::config
