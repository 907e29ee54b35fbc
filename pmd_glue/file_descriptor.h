// FileDescriptor: a file descriptor that is closed by the destructor.
#pragma once

#include <unistd.h>

#include <utility>

namespace sluice::pmd {

class FileDescriptor {
  public:
    FileDescriptor() = default;  // not open
    // With a negative number the object is not open, so the result of a system call can be passed
    // unchecked.
    explicit FileDescriptor(int number) : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~FileDescriptor() { close(); }

    void close() {
        if (is_open()) ::close(release());
    }
    // The caller has to close the returned descriptor.
    [[nodiscard]] int release() { return std::exchange(number_, -1); }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

  private:
    int number_ = -1;
};

}  // namespace sluice::pmd
