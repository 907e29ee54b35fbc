#include "pmd_glue/page_record.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sluice::pmd {
namespace {

using Rows = std::vector<AddedPages>;

class PageRecordTest : public testing::Test {
  protected:
    void SetUp() override {
        std::array<char, 32> pattern{"/tmp/sluice_pages_XXXXXX"};
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern.data();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // Leaves a record behind, as a killed process does.
    void leave(const Rows& rows) {
        PageRecord record;
        record.write(rows, folder_);
    }
    std::vector<Rows> of_the_dead() {
        std::vector<Rows> all;
        for (const PageRecord& record : PageRecord::of_the_dead(folder_)) {
            all.push_back(record.read());
        }
        return all;
    }

    std::string folder_;
};

const Rows rows = {{.node = std::nullopt, .pages = 120, .from = {}},
                   {.node = 1, .pages = 7, .from = 0},
                   {.node = 63, .pages = int64_t{1} << 40, .from = 12}};

TEST_F(PageRecordTest, ShowsWhatKilledProcessesHadAdded) {
    leave(rows);
    EXPECT_EQ(of_the_dead(), std::vector<Rows>{rows});
}

TEST_F(PageRecordTest, SaysNothingOfThoseWhoLive) {
    PageRecord living;
    living.write(rows, folder_);
    EXPECT_TRUE(PageRecord::of_the_dead(folder_).empty());
}

TEST_F(PageRecordTest, IsGoneOnceItIsRemoved) {
    PageRecord record;
    record.write(rows, folder_);
    record.remove();
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(PageRecordTest, HoldsNothingOfWhatItHeldBefore) {
    {
        PageRecord record;
        record.write(rows, folder_);
        record.write(std::span(rows).first(1), folder_);
    }
    EXPECT_EQ(of_the_dead(), (std::vector<Rows>{{rows[0]}}));
}

TEST_F(PageRecordTest, KeepsToWhatItCanRead) {
    std::ofstream(folder_ + "/huge-pages-1-1") << std::string(100, 'x');
    std::ofstream(folder_ + "/huge-pages-1-2") << "-1 -5 -1";
    std::ofstream(folder_ + "/huge-pages-1-3");
    EXPECT_EQ(of_the_dead(), std::vector<Rows>(3));
}

}  // namespace
}  // namespace sluice::pmd
