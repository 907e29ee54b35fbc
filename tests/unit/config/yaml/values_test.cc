#include "config/yaml/values.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::config {
namespace {

struct Right {
    std::string text;
    int64_t number;
};
struct Bad {
    std::string text;
    Wrong wrong;
};

void expect(Parsed (*parse)(std::string_view), const std::vector<Right>& right,
            const std::vector<Bad>& bad) {
    for (const auto& [text, number] : right) {
        const Parsed parsed = parse(text);
        ASSERT_TRUE(parsed.has_value()) << text;
        EXPECT_EQ(*parsed, number) << text;
    }
    for (const auto& [text, wrong] : bad) {
        const Parsed parsed = parse(text);
        ASSERT_FALSE(parsed.has_value()) << text << " gave " << *parsed;
        EXPECT_EQ(parsed.error(), wrong) << text;
    }
}

TEST(Values, WholeNumbers) {
    expect(parse_whole,
           {{"0", 0}, {"7", 7}, {"0x8906", 0x8906}, {"9223372036854775807", INT64_MAX}},
           {{"", Wrong::form},
            {"-", Wrong::form},
            {"-1", Wrong::negative},
            {"-99999999999999999999999999", Wrong::negative},
            {"+1", Wrong::form},
            {"1.5", Wrong::form},
            {"1.0", Wrong::form},
            {"1e3", Wrong::form},
            {"0x", Wrong::form},
            {"0x1g", Wrong::form},
            {"010", Wrong::form},  // 8 to a reader of YAML 1.1, 10 to one of 1.2
            {"1_000", Wrong::form},
            {" 1", Wrong::form},
            {"nan", Wrong::form},
            {".inf", Wrong::form},
            {"9223372036854775808", Wrong::overflow},
            {std::string(10'000, '9'), Wrong::overflow}});
}

TEST(Values, Sizes) {
    expect(parse_size,
           {{"1500", 1500},
            {"1500B", 1500},
            {"0", 0},
            {"64KiB", 65536},
            {"1MiB", 1048576},
            {"1.5MiB", 1572864},
            {"0.5KiB", 512},
            {"2.0B", 2},
            {"1.50000000000000000000000KiB", 1536},
            {"4GiB", 4294967296}},
           {{"64KB", Wrong::form},
            {"64K", Wrong::form},
            {"64kib", Wrong::form},
            {"64 KiB", Wrong::form},
            {"KiB", Wrong::form},
            {".5KiB", Wrong::form},
            {"1.KiB", Wrong::form},
            {"1.2.3KiB", Wrong::form},
            {"-64KiB", Wrong::negative},
            {"-64KB", Wrong::form},
            {"0.3B", Wrong::fraction},
            {"0.0001KiB", Wrong::fraction},
            {"0.0000000000000000000001GiB", Wrong::fraction},
            {"8589934592GiB", Wrong::overflow},
            {"99999999999999999999999999999999999999GiB", Wrong::overflow}});
}

TEST(Values, Rates) {
    expect(parse_rate,
           {{"10G", 10'000'000'000},
            {"400M", 400'000'000},
            {"1.5G", 1'500'000'000},
            {"64K", 64'000},
            {"1.6T", 1'600'000'000'000},
            {"1000", 1000}},
           {{"10g", Wrong::form},
            {"10Gbps", Wrong::form},
            {"10GiB", Wrong::form},
            {"-1G", Wrong::negative},
            {"NaN", Wrong::form},
            {"0.0000000001G", Wrong::fraction},
            {"9223373T", Wrong::overflow}});
}

TEST(Values, TimesHaveTheirUnit) {
    expect(parse_time,
           {{"5us", 5'000},
            {"200ms", 200'000'000},
            {"300s", 300'000'000'000},
            {"0.5s", 500'000'000},
            {"100ns", 100},
            {"0", 0},
            {"0s", 0}},
           {{"300", Wrong::form},
            {"5m", Wrong::form},
            {"5min", Wrong::form},
            {"5 s", Wrong::form},
            {"-5s", Wrong::negative},
            {"0.5ns", Wrong::fraction},
            {"9223372037s", Wrong::overflow}});
}

TEST(Values, LengthsHaveTheirUnit) {
    expect(parse_length,
           {{"5m", 5'000},
            {"40m", 40'000},
            {"1.5km", 1'500'000},
            {"0.5m", 500},
            {"20mm", 20},
            {"0", 0},
            {"0m", 0}},
           {{"5", Wrong::form},
            {"5 m", Wrong::form},
            {"5M", Wrong::form},
            {"5ms", Wrong::form},
            {"5cm", Wrong::form},
            {"-5m", Wrong::negative},
            {"0.5mm", Wrong::fraction},
            {"9223372036855km", Wrong::overflow}});
}

TEST(Values, ProbabilitiesGoToTheNearestStep) {
    expect(parse_probability,
           {{"1", 65536},
            {"0", 0},
            {"0.5", 32768},
            {"0.2", 13107},  // 13107.2
            {"1/50", 1311},  // 1310.7
            {"0.00001", 1},  // 0.66
            {"2", 131072}},
           {{"0.000001", Wrong::vanishing},
            {"20%", Wrong::form},
            {".2", Wrong::form},
            {"1/0", Wrong::form},
            {"-0.2", Wrong::negative},
            {"99999999999999999999999999999999", Wrong::overflow}});
}

TEST(Values, SharesGoToTheNearestStep) {
    expect(parse_share,
           {{"1", 128},
            {"0.5", 64},
            {"1/2", 64},
            {"1/128", 1},
            {"0.0078125", 1},
            {"128", 16384},
            {"0.1", 13},  // 12.8
            {"1/3", 43},  // 42.7
            {"0", 0},
            {"8/1", 1024}},
           {{"0.001", Wrong::vanishing},  // 0.128: not what 0 means
            {"1/1000", Wrong::vanishing},
            {"1/0", Wrong::form},
            {"1/", Wrong::form},
            {"/2", Wrong::form},
            {"1/2/3", Wrong::form},
            {"1.5/2", Wrong::form},
            {"1/1.5", Wrong::form},
            {"-0.5", Wrong::negative},
            {"-1/2", Wrong::negative},
            {".nan", Wrong::form},
            {"99999999999999999999999999999999", Wrong::overflow},
            {"9999999999999999999999999/3", Wrong::overflow}});
}

TEST(Values, Addresses) {
    expect(parse_address,
           {{"02:00:00:00:00:01", 0x020000000001},
            {"02-00-00-00-00-01", 0x020000000001},
            {"aB:cD:Ef:00:11:22", 0xABCDEF001122}},
           {{"02:00:00:00:00", Wrong::form},
            {"02:00:00:00:00:0", Wrong::form},
            {"02:00:00:00:00:001", Wrong::form},
            {"02:00-00:00:00:01", Wrong::form},
            {"0200.0000.0001   ", Wrong::form},
            {"0g:00:00:00:00:01", Wrong::form}});
}

TEST(Values, AreShownAsTheyCouldHaveBeenWritten) {
    EXPECT_EQ(format_size(0), "0");
    EXPECT_EQ(format_size(1518), "1518B");
    EXPECT_EQ(format_size(65536), "64KiB");
    EXPECT_EQ(format_size(1572864), "1536KiB");
    EXPECT_EQ(format_rate(1'600'000'000'000), "1600G");
    EXPECT_EQ(format_rate(1'500'000'000), "1500M");
    EXPECT_EQ(format_rate(7), "7");
    EXPECT_EQ(format_time(300'000'000'000), "300s");
    EXPECT_EQ(format_time(1'500), "1500ns");
    EXPECT_EQ(format_length(5'000), "5m");
    EXPECT_EQ(format_length(1'500'000), "1500m");
    EXPECT_EQ(format_length(1'001), "1001mm");
    EXPECT_EQ(format_probability(65536), "1");
    EXPECT_EQ(format_probability(13107), "13107/65536");
    EXPECT_EQ(format_share(128), "1");
    EXPECT_EQ(format_share(64), "64/128");
    EXPECT_EQ(format_address({0x0200000000AB}), "02:00:00:00:00:ab");
    for (const int64_t number : {1, 1023, 1024, 4096, 1'000'000, 123'456'789}) {
        EXPECT_EQ(parse_size(format_size(number)), number);
        EXPECT_EQ(parse_rate(format_rate(number)), number);
        EXPECT_EQ(parse_time(format_time(number)), number);
        EXPECT_EQ(parse_length(format_length(number)), number);
        EXPECT_EQ(parse_share(format_share(number)), number);
        EXPECT_EQ(parse_probability(format_probability(number)), number);
    }
}

}  // namespace
}  // namespace sluice::config
