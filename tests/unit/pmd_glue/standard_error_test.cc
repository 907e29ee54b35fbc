#include "pmd_glue/standard_error.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

namespace sluice::pmd {
namespace {

struct Stream {
    int reader = -1;
    int writer = -1;
};

Stream make_pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    return {ends[0], ends[1]};
}
Stream make_socket() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    return {ends[0], ends[1]};
}
// A terminal as the parent opened it: without O_NONBLOCK.
Stream make_terminal() {
    const int reader = ::posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_EQ(::grantpt(reader), 0);
    EXPECT_EQ(::unlockpt(reader), 0);
    return {reader, ::open(::ptsname(reader), O_WRONLY | O_NOCTTY)};
}

class StandardErrorTest : public testing::TestWithParam<std::function<Stream()>> {
  protected:
    void SetUp() override {
        std::signal(SIGPIPE, SIG_IGN);
        stream_ = GetParam()();
        ASSERT_GE(stream_.writer, 0);
    }
    void TearDown() override {
        close_reader();
        ::close(stream_.writer);
    }
    void close_reader() { ::close(std::exchange(stream_.reader, -1)); }
    // Waits for text, and returns it.
    std::string read_some() {
        std::array<char, 4096> octets{};
        const ssize_t got = ::read(stream_.reader, octets.data(), octets.size());
        EXPECT_GT(got, 0);
        std::string text(octets.data(), static_cast<std::size_t>(got));
        std::erase(text, '\r');  // a terminal's
        return text;
    }
    std::string read(std::size_t octets) {
        std::string text;
        while (text.size() < octets) text += read_some();
        return text;
    }

    Stream stream_;
};

TEST_P(StandardErrorTest, says_what_is_read) {
    StandardError out(stream_.writer);
    out.write("one\n");
    out.write("two\n");
    EXPECT_EQ(read(8), "one\ntwo\n");
    EXPECT_EQ(out.lost(), 0U);
}

TEST_P(StandardErrorTest, waits_for_no_reader_and_counts_what_is_lost) {
    StandardError out(stream_.writer);
    constexpr std::size_t lines = 50'000;  // more than anything holds
    for (std::size_t line = 0; line < lines; ++line) out.write("a line of the log\n");
    const uint64_t lost = out.lost();
    EXPECT_GT(lost, 0U);
    std::string text;
    while (!out.offer("last\n")) text += read_some();
    std::string expected;
    for (std::size_t line = lost; line < lines; ++line) expected += "a line of the log\n";
    expected += "last\n";
    text += read(expected.size() - text.size());
    EXPECT_TRUE(text == expected) << "lines are broken, or in another order";
}

TEST_P(StandardErrorTest, outlives_its_reader) {
    StandardError out(stream_.writer);
    close_reader();
    out.write("nobody hears it\n");
    EXPECT_EQ(out.lost(), 1U);
}

TEST_P(StandardErrorTest, leaves_the_descriptor_of_others_as_it_is) {
    const int before = ::fcntl(stream_.writer, F_GETFL);
    StandardError out(stream_.writer);
    out.write("a line\n");
    EXPECT_EQ(::fcntl(stream_.writer, F_GETFL), before);
    EXPECT_EQ(before & O_NONBLOCK, 0);
}

INSTANTIATE_TEST_SUITE_P(PipeSocketAndTerminal, StandardErrorTest,
                         testing::Values(make_pipe, make_socket, make_terminal));

TEST(StandardError, what_cannot_be_opened_anew_is_asked_for_room) {
    std::signal(SIGPIPE, SIG_IGN);
    const Stream stream = make_pipe();
    const std::string line(1000, 'x');
    std::size_t taken = 0;
    while (const std::size_t octets = write_without_waiting(stream.writer, line)) taken += octets;
    EXPECT_GT(taken, line.size());
    ::close(stream.reader);
    EXPECT_EQ(write_without_waiting(stream.writer, line), 0U);
    ::close(stream.writer);
}

TEST(StandardError, a_file_is_written_on_where_it_ends) {
    std::array<char, 32> name{"/tmp/sluice_log_XXXXXX"};
    const int file = ::mkstemp(name.data());
    ASSERT_EQ(::write(file, "before\n", 7), 7);
    {
        StandardError out(file);
        out.write("after\n");
    }
    ::close(file);
    std::ifstream text(name.data());
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(text), {}), "before\nafter\n");
    ::unlink(name.data());
}

}  // namespace
}  // namespace sluice::pmd
