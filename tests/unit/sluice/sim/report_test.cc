#include "tools/common/report/report.h"

#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tools/common/report/page.h"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

// Returns the text between `from` and `to`.
std::string between(const std::string& page, const std::string& from, const std::string& to) {
    const std::size_t begin = page.find(from);
    EXPECT_NE(begin, std::string::npos) << from;
    const std::size_t end = page.find(to, begin + from.size());
    EXPECT_NE(end, std::string::npos) << to;
    return page.substr(begin + from.size(), end - begin - from.size());
}
std::string data_of(const std::string& page) {
    return between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
}

TEST(Report, HasTheDataAsItWas) {
    const Json data = {{"kind", "fabric"}, {"rows", {{{"load", 0.5}}}}, {"floor", Json::array()}};
    Json embedded = Json::parse(data_of(report_page(data)));
    EXPECT_EQ(embedded["version"], report::version);
    embedded.erase("version");
    EXPECT_EQ(embedded, data);
}

TEST(Report, HoldsNamesThatWouldEndIt) {
    const std::string name = "</script><script>alert(1)</script><!-- ]]>";
    const std::string data = data_of(report_page({{"kind", "scenario"}, {"file", name}}));
    EXPECT_EQ(data.find('<'), std::string::npos);
    EXPECT_EQ(Json::parse(data)["file"], name);
}

TEST(Report, HoldsOctetsThatAreNoText) {
    EXPECT_EQ(Json::parse(data_of(report_page({{"file", "\xFF"}})))["file"], "\xEF\xBF\xBD");
}

TEST(Report, FetchesNothingAndKeepsTheLicence) {
    const std::string page = report_page({{"kind", "fabric"}});
    EXPECT_EQ(page.find("<link"), std::string::npos);
    EXPECT_EQ(page.find("src="), std::string::npos);
    EXPECT_NE(page.find("Permission is hereby granted, free of charge"), std::string::npos);
    EXPECT_NE(page.find("Chart.js Contributors"), std::string::npos);
}

TEST(ReportFile, ThatCannotBeWrittenIsReportedBeforeARun) {
    EXPECT_THROW(ReportFile("/nowhere/at/all.html"), CLI::ValidationError);
    EXPECT_THROW(ReportFile(""), CLI::ValidationError);
}

class ReportPlaceTest : public testing::Test {
  protected:
    ReportPlaceTest() : folder_(fs::path(testing::TempDir()) / "sluice_report_place") {
        fs::remove_all(folder_);
        fs::create_directory(folder_);
        std::ofstream(place()) << "before";
    }
    ~ReportPlaceTest() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string place(const char* name = "page.html") const { return folder_ / name; }
    [[nodiscard]] std::string text() const {
        std::ifstream file(place());
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    fs::path folder_;
};

TEST_F(ReportPlaceTest, KeepsWhatWasThereUntilThePageIsWhole) {
    {
        const ReportFile file(place());
        EXPECT_EQ(text(), "before");
        EXPECT_TRUE(fs::exists(place("page.html.part")));
    }
    EXPECT_EQ(text(), "before");
    EXPECT_FALSE(fs::exists(place("page.html.part")));
    EXPECT_TRUE(ReportFile(place()).write({{"kind", "fabric"}}));
    EXPECT_EQ(text(), report_page({{"kind", "fabric"}}));
    EXPECT_FALSE(fs::exists(place("page.html.part")));
}

TEST_F(ReportPlaceTest, IsNotThatOfTheScenario) {
    fs::create_symlink(place(), place("link.html"));
    EXPECT_THROW(ReportFile(place(), place()), CLI::ValidationError);
    EXPECT_THROW(ReportFile(place("link.html"), place()), CLI::ValidationError);
    EXPECT_EQ(text(), "before");
    EXPECT_FALSE(fs::exists(place("page.html.part")));
}

TEST_F(ReportPlaceTest, StaysALinkOrADeviceThatItWas) {
    fs::create_symlink(place(), place("link.html"));
    EXPECT_TRUE(ReportFile(place("link.html")).write({{"kind", "fabric"}}));
    EXPECT_TRUE(fs::is_symlink(place("link.html")));
    EXPECT_EQ(text(), report_page({{"kind", "fabric"}}));
    EXPECT_TRUE(ReportFile("/dev/null").write({{"kind", "fabric"}}));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace sluice::cli
