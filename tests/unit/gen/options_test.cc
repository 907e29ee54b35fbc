#include "tools/gen/options.h"

#include <gtest/gtest.h>

#include "tools/gen/report.h"
#include "tools/gen/words.h"

namespace sluice::gen {
namespace {

using namespace literals;

std::variant<Options, int> read(std::vector<std::string> words) {
    words.insert(words.begin(), "sluice-gen");
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    return read_options(static_cast<int>(pointers.size()), pointers.data());
}

TEST(Options, RefuseWhatIsNoNumber) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--seconds", "nan"}, {"--seconds", "-NaN"}}) {
        std::vector<std::string> all = {"--port", "ring:a", "--port", "ring:b"};
        all.insert(all.end(), words.begin(), words.end());
        const auto options = read(all);
        ASSERT_TRUE(std::holds_alternative<int>(options)) << words[1];
        EXPECT_EQ(std::get<int>(options), 2);
    }
}

TEST(Options, DescribeTraffic) {
    const auto words = read({"--port",
                             "af_packet:veth1",
                             "--port",
                             "af_packet:veth3",
                             "--port",
                             "ring:x",
                             "--pattern",
                             "incast",
                             "--frame-bytes",
                             "imix",
                             "--rate",
                             "1M",
                             "--priority",
                             "3,5",
                             "--seconds",
                             "0.5",
                             "--pfc",
                             "--pfc-response",
                             "10us",
                             "--speed",
                             "25G",
                             "--vlan",
                             "7",
                             "--addresses",
                             "1024",
                             "--seed",
                             "9",
                             "--",
                             "--no-huge",
                             "-m",
                             "64"});
    ASSERT_TRUE(std::holds_alternative<Options>(words));
    const Options& options = std::get<Options>(words);
    EXPECT_EQ(options.devices.size(), 3U);
    EXPECT_EQ(options.duration, 500_ms);
    EXPECT_EQ(options.eal, (std::vector<std::string>{"--no-huge", "-m", "64"}));
    const SenderSettings& senders = options.traffic.senders;
    EXPECT_EQ(senders.pattern.shape, Shape::incast);
    EXPECT_EQ(senders.pattern.ports, 3);
    EXPECT_EQ(senders.pattern.priorities, 0b0010'1000);
    EXPECT_EQ(senders.pattern.frames.count, 3U);
    EXPECT_EQ(senders.pattern.seed, 9U);
    EXPECT_EQ(senders.obeys, 0b0010'1000);
    EXPECT_EQ(senders.response, 10_us);
    EXPECT_EQ(senders.vlan, 7);
    EXPECT_EQ(senders.addresses, 1024U);
    EXPECT_EQ(senders.rate.value, 1'000'000);
    EXPECT_EQ(senders.speed, BitsPerSecond(25'000'000'000));
    EXPECT_FALSE(options.search);
}

TEST(Options, DescribeASearch) {
    std::vector<std::string> words = {"--port", "ring:a", "--port", "ring:b", "--throughput"};
    const auto plain = std::get<Options>(read(words));
    EXPECT_EQ(plain.duration, 60_s);
    EXPECT_EQ(plain.search->accepted_loss, 0);
    EXPECT_DOUBLE_EQ(plain.search->resolution, 0.01);
    EXPECT_EQ(plain.mixes.size(), 1U);

    words.insert(words.end(), {"--frame-bytes", "64,imix", "--accept-loss", "0.5", "--resolution",
                               "2", "--seconds", "1"});
    const auto other = std::get<Options>(read(words));
    EXPECT_EQ(other.duration, 1_s);
    EXPECT_DOUBLE_EQ(other.search->accepted_loss, 0.005);
    EXPECT_DOUBLE_EQ(other.search->resolution, 0.02);
    ASSERT_EQ(other.mixes.size(), 2U);
    EXPECT_EQ(other.mixes[1].name, "imix");
    EXPECT_EQ(other.mixes[1].frames.count, 3U);
    EXPECT_EQ(parse_frame_mixes("rfc2544")->size(), 7U);
}

TEST(Options, DescribeASearchThatStandsNoise) {
    std::vector<std::string> words = {"--port",       "ring:a",   "--port", "ring:b",
                                      "--throughput", "--search", "mlr"};
    const auto plain = std::get<Options>(read(words));
    ASSERT_TRUE(plain.mlr);
    EXPECT_FALSE(plain.search);
    EXPECT_EQ(plain.mlr->final_trial, 1_s);
    EXPECT_EQ(plain.mlr->duration_sum, 21_s);
    EXPECT_EQ(plain.mlr->loss_ratio, 0);
    EXPECT_DOUBLE_EQ(plain.mlr->exceed_ratio, 0.5);
    EXPECT_DOUBLE_EQ(plain.mlr->width, 0.005);

    words.insert(words.end(), {"--exceed", "20", "--width", "2", "--accept-loss", "0.5",
                               "--duration-sum", "5", "--seconds", "10"});
    const auto other = std::get<Options>(read(words));
    EXPECT_EQ(other.mlr->final_trial, 10_s);
    EXPECT_EQ(other.mlr->duration_sum, 10_s) << "no less than a trial";
    EXPECT_DOUBLE_EQ(other.mlr->exceed_ratio, 0.2);
    EXPECT_DOUBLE_EQ(other.mlr->loss_ratio, 0.005);
}

TEST(Options, DescribeAllTestsOfRfc2544) {
    std::vector<std::string> words = {"--port", "ring:a", "--port", "ring:b", "--rfc2544"};
    const auto plain = std::get<Options>(read(words));
    ASSERT_TRUE(plain.rfc2544);
    EXPECT_EQ(plain.mixes.size(), 8U) << "seven lengths and IMIX";
    EXPECT_EQ(plain.rfc2544->trial, 60_s);
    EXPECT_EQ(plain.rfc2544->frames_at_once, 2U);
    EXPECT_EQ(plain.rfc2544->latency_trials, 20U);
    EXPECT_EQ(plain.rfc2544->bursts, 50U);
    EXPECT_EQ(plain.rfc2544->loss_step, 10U);
    EXPECT_EQ(plain.form, Form::text);

    words.insert(words.end(),
                 {"--tests", "loss,recovery", "--repeats", "3", "--loss-step", "5", "--csv",
                  "--html", "page.html", "--frame-bytes", "100,rfc2544", "--resolution", "2"});
    const auto other = std::get<Options>(read(words));
    EXPECT_EQ(other.rfc2544->latency_trials, 0U);
    EXPECT_EQ(other.rfc2544->bursts, 0U);
    EXPECT_EQ(other.rfc2544->recoveries, 3U);
    EXPECT_EQ(other.rfc2544->loss_step, 5U);
    EXPECT_DOUBLE_EQ(other.rfc2544->search.resolution, 0.02);
    EXPECT_EQ(other.form, Form::csv);
    EXPECT_EQ(other.html, "page.html");
    EXPECT_EQ(other.mixes.size(), 8U);
}

TEST(Options, DescribeTheTestsOfRfc8239) {
    const auto options =
        std::get<Options>(read({"--port", "ring:a", "--port", "ring:b", "--port", "ring:c",
                                "--rfc8239", "--rate", "1Gbps", "--seconds", "2", "--repeats", "7",
                                "--priority", "3", "--pfc", "--csv", "--html", "page.html"}));
    ASSERT_TRUE(options.rfc8239);
    EXPECT_EQ(options.rfc8239->sender.pattern.ports, 3);
    EXPECT_EQ(options.rfc8239->sender.obeys, only_priority(3));
    EXPECT_EQ(options.rfc8239->rate.value, 1'000'000'000);
    EXPECT_EQ(options.rfc8239->trial, 2_s);
    EXPECT_EQ(options.rfc8239->bursts, 7U);
    EXPECT_EQ(options.form, Form::csv);
    EXPECT_EQ(options.html, "page.html");
    EXPECT_EQ(options.mixes.size(), 7U);
}

TEST(Options, NameAFileOfServices) {
    std::vector<std::string> words = {"--port", "ring:a", "--port", "ring:b", "--y1564", "s.yaml"};
    const auto plain = std::get<Options>(read(words));
    ASSERT_TRUE(plain.y1564);
    EXPECT_EQ(plain.services, "s.yaml");
    EXPECT_EQ(plain.y1564->step, 10_s);
    EXPECT_EQ(plain.y1564->performance, 900_s);
    words.insert(words.end(), {"--seconds", "2", "--performance", "60", "--csv", "--pfc"});
    const auto other = std::get<Options>(read(words));
    EXPECT_EQ(other.y1564->step, 2_s);
    EXPECT_EQ(other.y1564->performance, 60_s);
    EXPECT_EQ(other.form, Form::csv);
}

TEST(Options, SayWhatIsWrong) {
    const std::vector<std::string> ports = {"--port", "ring:a", "--port", "ring:b"};
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
             {"--rate", "fast"},
             {"--rate", "0"},
             {"--rate", "-1M"},
             {"--frame-bytes", "63"},
             {"--frame-bytes", "9725"},
             {"--priority", "8"},
             {"--pattern", "all"},
             {"--seconds", "0"},
             {"--pfc-response", "soon"},
             {"--vlan", "4095"},
             {"--speed", "0"},
             {"--addresses", "0"},
             {"--addresses", "65537"},
             {"--addresses", "-1"},
             {"--addresses", "many"},
             {"--frame-bytes", "64,128"},
             {"--frame-bytes", "64,", "--throughput"},
             {"--accept-loss", "1"},
             {"--resolution", "2"},
             {"--count", "9", "--throughput"},
             {"--rfc2544", "--throughput"},
             {"--rfc8239", "--rate", "1G"},
             {"--rfc8239", "--rfc2544"},
             {"--repeats", "2"},
             {"--search", "mlr"},
             {"--search", "linear", "--throughput"},
             {"--width", "2", "--throughput"},
             {"--exceed", "100", "--throughput", "--search", "mlr"},
             {"--resolution", "2", "--throughput", "--search", "mlr"},
             {"--tests", "loss"},
             {"--tests", "reset", "--rfc2544"},
             {"--repeats", "0", "--rfc2544"},
             {"--loss-step", "11", "--rfc2544"},
             {"--html", "", "--rfc2544"},
             {"--html", "page.html"},
             {"--csv"},
             {"--csv", "--json", "--rfc2544"},
             {"--streams", ""},
             {"--streams", "s.yaml", "--rate", "1K"},
             {"--streams", "s.yaml", "--throughput"},
             {"--y1564", ""},
             {"--y1564", "s.yaml", "--rate", "1K"},
             {"--y1564", "s.yaml", "--streams", "t.yaml"},
             {"--y1564", "s.yaml", "--rfc2544"},
             {"--performance", "5"},
             {"--repeats", "5", "--y1564", "s.yaml"},
             {"--frame-bytes", "64:0"},
             {"--frame-bytes", "64:7+"},
             {"--frame-bytes", "64:7+63:1"},
             {"--nonsense"}}) {
        std::vector<std::string> words = ports;
        words.insert(words.end(), wrong.begin(), wrong.end());
        testing::internal::CaptureStderr();
        const auto meaning = read(words);
        const std::string said = testing::internal::GetCapturedStderr();
        ASSERT_TRUE(std::holds_alternative<int>(meaning)) << wrong.back();
        EXPECT_EQ(std::get<int>(meaning), 2) << wrong.back();
        EXPECT_NE(said.find(wrong.front()), std::string::npos) << said;
        EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
    }
}

TEST(Options, LengthsMayBeMixed) {
    const auto mix = parse_frame_mix("64:7+594:4+1518:1");
    ASSERT_TRUE(mix);
    EXPECT_EQ(mix->count, 3U);
    EXPECT_EQ(mix->total, 12);
    EXPECT_DOUBLE_EQ(mix->mean(), FrameMix::imix().mean());
    for (const char* word : {"64", "64:7+1518:1", "imix"}) {
        EXPECT_EQ(to_word(*parse_frame_mix(word)), word);
    }
    EXPECT_EQ(parse_frame_mix("64:9")->count, 1U);
    EXPECT_EQ(parse_frame_mix("64+128")->total, 2) << "evenly";
    EXPECT_EQ(parse_frame_mixes("64:1+128:1,imix")->front().name, "64:1+128:1");
    EXPECT_TRUE(parse_frame_mix("64+65+66+67+68+69+70+71"));
    EXPECT_FALSE(parse_frame_mix("64+65+66+67+68+69+70+71+72"));
    EXPECT_FALSE(parse_frame_mix("64:65535+65:1"));
}

TEST(Options, NeedTwoPorts) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(std::get<int>(read({"--port", "ring:a"})), 2);
    EXPECT_FALSE(testing::internal::GetCapturedStderr().empty());
}

TEST(Options, RatesAreFramesOrBits) {
    EXPECT_EQ(parse_packet_rate("max")->unit, Rate::Unit::unlimited);
    EXPECT_EQ(parse_packet_rate("500")->unit, Rate::Unit::frames_a_second);
    const auto bits = parse_packet_rate("2.5Gbps");
    EXPECT_EQ(bits->unit, Rate::Unit::bits_a_second);
    EXPECT_EQ(bits->value, 2'500'000'000);
}

TEST(Report, HasTheKeysThatScriptsReadAndATable) {
    Summary summary;
    summary.ports = 2;
    summary.addresses = 1024;
    summary.seconds = 1;
    summary.results.flows.push_back({{1, 0, 3}, 1000, 999, 1, 2, {500, 600, 700, 800}});
    summary.results.offered = 1000;
    summary.results.delivered = 999;
    summary.results.lost = 1;
    summary.results.latency.record(1500);
    const Json json = to_json(summary);
    for (const char* key :
         {"ports", "addresses", "seconds", "offered", "delivered", "lost", "reordered",
          "duplicates", "strays", "mpps", "pfc_received", "latency_ns", "flows"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["addresses"], 1024);
    EXPECT_EQ(json["flows"][0]["lost"], 1);
    EXPECT_EQ(json["flows"][0]["latency_ns"]["p99"], 600);
    EXPECT_EQ(json["latency_ns"]["max"], 1500);
    const std::string text = to_text(summary);
    EXPECT_NE(text.find("offered 1,000, delivered 999, lost 1"), std::string::npos) << text;
    EXPECT_NE(text.find("2 ports of 1,024 addresses each, 1.00 s"), std::string::npos) << text;
    EXPECT_NE(text.find("1.5 us"), std::string::npos) << text;
    EXPECT_NE(text.find("800 ns"), std::string::npos) << text;
}

}  // namespace
}  // namespace sluice::gen
