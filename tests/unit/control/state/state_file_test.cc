#include "control/state/state_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "control/state/checksum.h"
#include "control/state/state_writer.h"

namespace sluice::control {
namespace {

namespace fs = std::filesystem;

class StateFileTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "state-XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder = name;
    }
    void TearDown() override { fs::remove_all(folder); }

    [[nodiscard]] StateFile file() const { return {folder + "/of/sluice", "state.json", 8}; }

    std::string folder;
};

TEST_F(StateFileTest, what_is_not_there_is_neither_unreadable_nor_refused) {
    const StateFile::Content content = file().read();
    EXPECT_FALSE(content.is_there);
    EXPECT_EQ(content.unreadable + content.refused, "");
}

TEST_F(StateFileTest, what_was_written_is_read_and_is_its_owners_alone) {
    EXPECT_EQ(file().write("some"), "");
    EXPECT_EQ(file().write("other"), "");
    EXPECT_EQ(file().read().text, "other");
    struct stat about {};
    ASSERT_EQ(::stat(file().path().c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600U);
    EXPECT_FALSE(fs::exists(file().path() + ".new"));
}

TEST_F(StateFileTest, what_is_too_long_or_no_file_or_a_link_is_refused) {
    EXPECT_EQ(file().write("nine is 9"), "");
    EXPECT_EQ(file().read().refused, "longer than 8 octets");
    fs::remove(file().path());
    fs::create_directories(file().path());
    EXPECT_EQ(file().read().refused, "no file");
    fs::remove(file().path());
    fs::create_symlink("/etc/hostname", file().path());
    EXPECT_EQ(file().read().refused, "a link");
}

TEST_F(StateFileTest, another_users_is_refused) {
    EXPECT_EQ(file().write("some"), "");
    if (::chown(file().path().c_str(), 12345, 12345) == 0) {
        EXPECT_EQ(file().read().refused, "user 12345's");
    } else {
        EXPECT_EQ(StateFile("/etc", "passwd", 8).read().refused, "user 0's");
    }
}

TEST_F(StateFileTest, each_switch_has_a_file_of_its_own) {
    EXPECT_EQ(state_file_name("state", config::default_socket), "state.json");
    const std::string name = state_file_name("proofs", "/run/my sluice/a b.sock");
    EXPECT_EQ(name.find("proofs-a_b.sock-"), 0U);
    EXPECT_NE(name, state_file_name("proofs", "/run/my_sluice/a b.sock"));
    EXPECT_EQ(name, state_file_name("proofs", "/run/my sluice/a b.sock"));
}

TEST_F(StateFileTest, one_at_a_time_has_it) {
    StateFile first = file();
    EXPECT_EQ(first.claim(), "") << "there is no folder yet";
    EXPECT_EQ(first.write("some"), "");
    {
        StateFile second = file();
        const std::string other = second.path() +
                                  ": used by another switch with the same "
                                  "control.socket";
        EXPECT_EQ(second.claim(), other);
        EXPECT_EQ(second.write("other"), other);
        EXPECT_EQ(file().read().text, "some");
    }
    EXPECT_EQ(first.write("more"), "") << "it still has it";
    first = file();
    StateFile next = file();
    EXPECT_EQ(next.claim(), "");
    EXPECT_EQ(next.write("next"), "");
}

TEST_F(StateFileTest, an_older_sluiceds_is_read_until_there_is_one_of_its_own) {
    const config::ControlConfig control{.socket = "/run/other.sock", .state = folder};
    StateFile usual(folder, "state.json", 80);
    EXPECT_EQ(usual.write(R"({"version":1})"), "");
    StateFile own = StateFile::of(control, "state", 80);
    EXPECT_EQ(own.read().text, R"({"version":1})");
    EXPECT_EQ(usual.write(with_checksum(R"({"version":2})")), "");
    EXPECT_FALSE(own.read().is_there) << "another switch's";
    EXPECT_EQ(usual.write(R"({"version":1})"), "");
    EXPECT_EQ(own.write("own"), "");
    EXPECT_EQ(own.read().text, "own");
}

TEST_F(StateFileTest, set_aside_it_is_out_of_the_way) {
    EXPECT_EQ(file().write("some"), "");
    const std::string aside = file().path() + ".refused";
    const StateFile::Content content = file().read();
    EXPECT_EQ(StateFile::set_aside(content, "refused"), "it was renamed to " + aside);
    EXPECT_FALSE(file().read().is_there);
    EXPECT_TRUE(fs::exists(aside));
    EXPECT_EQ(StateFile::set_aside(content, "refused"), "it stays (No such file or directory)");
}

TEST_F(StateFileTest, nothing_is_written_behind_the_last) {
    StateWriter writer(file());
    EXPECT_EQ(writer.write("some"), "");
    EXPECT_EQ(writer.write_last("last"), "");
    EXPECT_EQ(writer.write("late"), "");
    EXPECT_EQ(file().read().text, "last");
}

}  // namespace
}  // namespace sluice::control
