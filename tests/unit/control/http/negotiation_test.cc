#include "control/http/negotiation.h"

#include <gtest/gtest.h>

namespace sluice::control::http {
namespace {

constexpr TextFormat text = TextFormat::text;
constexpr TextFormat openmetrics = TextFormat::openmetrics;

TEST(Negotiation, gives_text_to_who_names_nothing_else) {
    for (const char* accept : {"", "*/*", "text/plain", "text/html, */*;q=0.1", "application/json",
                               "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", ",;=,;q"}) {
        EXPECT_EQ(format_for(accept), text) << accept;
    }
}

TEST(Negotiation, gives_the_format_of_the_higher_quality) {
    EXPECT_EQ(
        format_for("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"),
        openmetrics);
    EXPECT_EQ(format_for("text/plain;version=0.0.4;q=0.6, application/openmetrics-text;q=0.5"),
              text);
    EXPECT_EQ(format_for("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                         "application/openmetrics-text;version=0.0.1;q=0.5,"
                         "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
                         "text/plain;version=0.0.4;q=0.3,*/*;q=0.2"),
              openmetrics)
        << "Prometheus 3 by default";
    EXPECT_EQ(format_for("text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                         "text/plain;version=0.0.4;q=0.5,application/openmetrics-text;q=0.4"),
              text)
        << "Prometheus 3 that prefers text";
}

TEST(Negotiation, reads_types_without_case_and_refuses_by_zero) {
    EXPECT_EQ(format_for("Application/OpenMetrics-Text; Version=\"1.0.0\""), openmetrics);
    EXPECT_EQ(format_for("application/openmetrics-text;q=0"), text);
    EXPECT_EQ(format_for("application/openmetrics-text;q=0.001, text/plain;q=0.000"), openmetrics);
    EXPECT_EQ(format_for("application/openmetrics-text;version=2.0.0, */*;q=0.1"), text);
    EXPECT_EQ(format_for("application/*, text/plain;q=0.9"), text) << "it is not named";
}

}  // namespace
}  // namespace sluice::control::http
