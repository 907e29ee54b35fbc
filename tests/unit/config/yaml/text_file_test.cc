#include "config/yaml/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sluice::config {
namespace {

class TextFile : public testing::Test {
  protected:
    TextFile() { std::filesystem::create_directory(folder_); }
    ~TextFile() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string in_folder(const std::string& name) const {
        return folder_ + "/" + name;
    }
    [[nodiscard]] std::string pipe() const {
        const std::string path = in_folder("pipe");
        EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
        return path;
    }

  private:
    std::string folder_ = testing::TempDir() + "text_file_" + std::to_string(getpid());
};

TEST_F(TextFile, IsReadAsItIs) {
    const std::string octets("a: 1\n\0\xFF", 7);
    std::ofstream(in_folder("x"), std::ios::binary) << octets;
    EXPECT_EQ(read_text_file(in_folder("x"), 100, FileKind::regular), octets);
    EXPECT_EQ(read_text_file(in_folder("x"), 100, FileKind::any), octets);
}

TEST_F(TextFile, IsReadAnOctetBeyondTheMost) {
    std::ofstream(in_folder("x")) << "0123456789";
    EXPECT_EQ(read_text_file(in_folder("x"), 10, FileKind::regular)->size(), 10U);
    EXPECT_EQ(read_text_file(in_folder("x"), 9, FileKind::regular)->size(), 10U);
    EXPECT_EQ(read_text_file(in_folder("x"), 3, FileKind::regular), "0123");
}

TEST_F(TextFile, HasAnEndWhereADeviceHasNone) {
    EXPECT_EQ(read_text_file("/dev/zero", 100'000, FileKind::any)->size(), 100'001U);
}

// Last in the test: a read that waits would never return.
TEST_F(TextFile, DoesNotWaitForAPipeWhereItMustNot) {
    const tl::expected<std::string, std::string> refused =
        tl::unexpected(std::string("is a pipe, device or directory, which is not read"));
    EXPECT_EQ(read_text_file(pipe(), 100, FileKind::regular), refused);
    EXPECT_EQ(read_text_file("/dev/zero", 100, FileKind::regular), refused);
    EXPECT_EQ(read_text_file("/", 100, FileKind::regular), refused);
}

TEST_F(TextFile, WaitsForAPipeWhereItMay) {
    const std::string path = pipe();
    std::thread writer([&] { std::ofstream(path) << "a: 1\n"; });
    EXPECT_EQ(read_text_file(path, 100, FileKind::any), "a: 1\n");
    writer.join();
}

TEST_F(TextFile, SaysWhyItCannotBeRead) {
    EXPECT_EQ(read_text_file(in_folder("x"), 100, FileKind::regular).error(),
              "cannot be read: No such file or directory");
    EXPECT_EQ(read_text_file("/", 100, FileKind::any).error(), "cannot be read: Is a directory");
}

}  // namespace
}  // namespace sluice::config
