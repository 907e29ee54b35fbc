#include "control/proof/proof_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::control {
namespace {

namespace fs = std::filesystem;

// Returns the error; empty: the proof was known, or is stored.
std::string kept(ProofFile& file, const Circumstances& of, const Seen& seen) {
    const ProofFile::Keeping keeping = file.add(of, seen);
    return keeping ? keeping() : "";
}

class ProofFileTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "proofs-XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        made = name;
        folder = name + "/of/sluice";
        control = {std::string(config::default_socket), folder};
    }
    void TearDown() override { fs::remove_all(made); }

    [[nodiscard]] std::string path() const { return folder + "/proofs.json"; }
    void write(const std::string& text) const {
        fs::create_directories(folder);
        std::ofstream(path()) << text;
    }

    std::string made;
    std::string folder;
    config::ControlConfig control;
    const Circumstances nic{.device = "pci:1", .driver = "net_ixgbe"};
    const Seen receives{.receives = true};
};

TEST_F(ProofFileTest, where_there_is_none_nothing_is_proved_nor_written) {
    const ProofFile file = ProofFile::open(control);
    EXPECT_TRUE(file.notices().empty());
    EXPECT_TRUE(file.proofs().all().empty());
    EXPECT_FALSE(fs::exists(folder));
}

TEST_F(ProofFileTest, what_was_proved_outlasts_who_proved_it) {
    {
        ProofFile file = ProofFile::open(control);
        EXPECT_EQ(kept(file, nic, receives), "");
    }
    const ProofFile again = ProofFile::open(control);
    EXPECT_TRUE(again.notices().empty());
    EXPECT_EQ(again.proofs().of(nic), receives);
    EXPECT_EQ(ProofFile::peek(control).of(nic), receives);
    struct stat about {};
    ASSERT_EQ(::stat(path().c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600U);
    ASSERT_EQ(::stat(folder.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0750U);
    EXPECT_FALSE(fs::exists(path() + ".new"));
}

TEST_F(ProofFileTest, what_is_no_news_is_not_written_again) {
    ProofFile file = ProofFile::open(control);
    kept(file, nic, receives);
    fs::remove(path());
    EXPECT_EQ(kept(file, nic, receives), "");
    EXPECT_FALSE(fs::exists(path()));
}

TEST_F(ProofFileTest, a_damaged_one_is_set_aside_and_reported) {
    for (const char* text : {"", "{", "{\"version\": 1}"}) {
        write(text);
        EXPECT_TRUE(ProofFile::peek(control).all().empty());
        EXPECT_TRUE(fs::exists(path())) << "who only looks moves nothing";
        ProofFile file = ProofFile::open(control);
        ASSERT_EQ(file.notices().size(), 1U);
        EXPECT_EQ(file.notices()[0],
                  path() + ": damaged, so no capability is proven by it; it was renamed to " +
                      path() + ".damaged; `sluice doctor --cable A B` tests ports again");
        EXPECT_FALSE(fs::exists(path()));
        EXPECT_EQ(fs::file_size(path() + ".damaged"), std::string(text).size());
        EXPECT_EQ(kept(file, nic, receives), "");
        EXPECT_EQ(ProofFile::peek(control).of(nic), receives);
    }
}

TEST_F(ProofFileTest, what_is_no_file_or_too_long_is_damaged) {
    fs::create_directories(path());
    EXPECT_EQ(ProofFile::open(control).notices().size(), 1U);
    fs::remove_all(path() + ".damaged");
    write(std::string(longest_proofs + 1, ' '));
    EXPECT_EQ(ProofFile::open(control).notices().size(), 1U);
    ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
    EXPECT_EQ(ProofFile::open(control).notices().size(), 1U);
    fs::create_symlink("/etc/hostname", path());
    EXPECT_EQ(ProofFile::open(control).notices().size(), 1U);
    EXPECT_TRUE(fs::is_symlink(path() + ".damaged"));
}

TEST_F(ProofFileTest, another_switch_reads_it_and_does_not_write) {
    ProofFile first = ProofFile::open(control);
    EXPECT_EQ(kept(first, nic, receives), "");
    ProofFile second = ProofFile::open(control);
    ASSERT_EQ(second.notices().size(), 1U);
    EXPECT_EQ(second.notices()[0].find(path() + ": used by another switch"), 0U);
    EXPECT_EQ(second.proofs().of(nic), receives);
    EXPECT_NE(kept(second, {.device = "pci:2", .driver = "net_ixgbe"}, receives), "");
    EXPECT_EQ(ProofFile::peek(control).all().size(), 1U);
}

TEST_F(ProofFileTest, what_was_not_kept_meanwhile_is_at_the_end) {
    ProofFile file = ProofFile::open(control);
    EXPECT_EQ(file.keep_last(), "") << "nothing is new";
    EXPECT_FALSE(fs::exists(folder));
    const ProofFile::Keeping late = file.add(nic, receives);
    EXPECT_EQ(file.keep_last(), "");
    EXPECT_EQ(ProofFile::peek(control).of(nic), receives);
    fs::remove(path());
    EXPECT_EQ(late(), "");
    EXPECT_FALSE(fs::exists(path())) << "nothing is written behind the last";
}

TEST_F(ProofFileTest, where_it_cannot_be_written_it_is_known_until_the_end) {
    std::ofstream(made + "/of") << "a file where a folder is to be";
    ProofFile file = ProofFile::open(control);
    EXPECT_EQ(kept(file, nic, receives).find(path() + ".new: cannot be written ("), 0U);
    EXPECT_EQ(file.proofs().of(nic), receives);
    ProofFile nowhere;
    EXPECT_EQ(kept(nowhere, nic, receives), "") << "nowhere to keep it is no fault";
}

}  // namespace
}  // namespace sluice::control
