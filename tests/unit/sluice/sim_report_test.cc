#include "tools/sluice/sim_report.h"

#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <string>

#include "tools/sluice/report/page.h"

namespace sluice::cli {
namespace {

// What stands between `from` and `to`.
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

TEST(ReportFile, ThatCannotBeWrittenIsToldBeforeARun) {
    EXPECT_THROW(ReportFile("/nowhere/at/all.html"), CLI::ValidationError);
}

}  // namespace
}  // namespace sluice::cli
