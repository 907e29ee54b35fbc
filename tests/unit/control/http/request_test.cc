#include "control/http/request.h"

#include <gtest/gtest.h>

namespace sluice::control::http {
namespace {

tl::expected<Request, Refusal> parsed(std::string first, std::string fields = "Host: a\r\n") {
    return parse_head(std::move(first) + "\r\n" + std::move(fields) + "\r\n");
}

int status_of(std::string first, std::string fields = "Host: a\r\n") {
    const auto request = parsed(std::move(first), std::move(fields));
    return request ? 200 : request.error().status;
}

TEST(HttpRequest, has_a_path_a_query_and_fields) {
    const auto request =
        parsed("GET /api/show/a%2Fb%20c?x=1&y&z=a%3d+b HTTP/1.1",
               "HOST:  switch:9475 \r\nAccept: a/b\r\naccept:\tc/d\r\n"
               "Last-Event-ID: 17\r\nAuthorization: Bearer x\r\nX-Other: \xC3\xBC\r\n");
    ASSERT_TRUE(request) << request.error().why;
    EXPECT_FALSE(request->head);
    EXPECT_EQ(request->path, "/api/show/a/b c");
    using Parameters = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(request->query, (Parameters{{"x", "1"}, {"y", ""}, {"z", "a= b"}}));
    EXPECT_EQ(*request->parameter("z"), "a= b");
    EXPECT_EQ(request->parameter("q"), nullptr);
    EXPECT_EQ(request->host, "switch:9475");
    EXPECT_EQ(request->accept, "a/b,c/d");
    EXPECT_EQ(request->last_event_id, "17");
    EXPECT_EQ(request->authorization, "Bearer x");
    EXPECT_TRUE(request->keep_alive);
}

TEST(HttpRequest, has_one_authorization) {
    EXPECT_EQ(status_of("GET / HTTP/1.1", "Host: a\r\nAuthorization: x\r\nAuthorization: y\r\n"),
              400);
}

TEST(HttpRequest, may_name_its_target_whole) {
    const auto request =
        parse_head("GET HTTP://127.0.0.1:9475/metrics?a=b HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->path, "/metrics");
    EXPECT_EQ(*request->parameter("a"), "b");
    EXPECT_EQ(request->host, "127.0.0.1:9475") << "the target's counts, RFC 9112 3.2.2";
    EXPECT_EQ(parse_head("GET http://[::1] HTTP/1.1\r\nHost: x\r\n\r\n")->path, "/");
    EXPECT_FALSE(parse_head("GET ftp://127.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n"));
}

TEST(HttpRequest, says_whether_the_client_stays) {
    EXPECT_FALSE(parsed("GET / HTTP/1.0", "")->keep_alive);
    EXPECT_FALSE(parsed("GET / HTTP/1.1", "Host: a\r\nConnection: te, CLOSE\r\n")->keep_alive);
    EXPECT_TRUE(parsed("GET / HTTP/1.1", "Host: a\r\nConnection: keep-alive\r\n")->keep_alive);
    EXPECT_TRUE(parsed("HEAD / HTTP/1.1")->head);
}

TEST(HttpRequest, changes_nothing) {
    EXPECT_EQ(status_of("POST / HTTP/1.1"), 405);
    EXPECT_EQ(status_of("get / HTTP/1.1"), 405);
    EXPECT_EQ(status_of("GET / HTTP/1.1", "Host: a\r\nContent-Length: 1\r\n"), 413);
    EXPECT_EQ(status_of("GET / HTTP/1.1", "Host: a\r\nTransfer-Encoding: chunked\r\n"), 413);
    EXPECT_EQ(status_of("GET / HTTP/1.1", "Host: a\r\nContent-Length: 0\r\n"), 200);
}

TEST(HttpRequest, is_refused_where_it_could_be_read_in_two_ways) {
    EXPECT_EQ(status_of("GET / HTTP/2.0"), 505);
    for (const char* wrong :
         {"", "GET", "GET /", "GET / HTTP/1.1 ", "GET  / HTTP/1.1", " GET / HTTP/1.1",
          "GET / http/1.1", "GET x HTTP/1.1", "GET http:/a HTTP/1.1", "GET * HTTP/1.1",
          "GET /%zz HTTP/1.1", "GET /%4 HTTP/1.1", "GET /%00 HTTP/1.1", "GET /?a=% HTTP/1.1",
          "GET /\x7F HTTP/1.1", "GET /\xC3\xBC HTTP/1.1", "G(T / HTTP/1.1", "GET /\tx HTTP/1.1"}) {
        EXPECT_EQ(status_of(wrong), 400) << wrong;
    }
    for (const char* wrong :
         {"", "Host: a\r\nHost: a\r\n", "Host a\r\n", "Host : a\r\n", ": a\r\n",
          "Host: a\r\nX: 1\r\n folded\r\n", "Host: a\nX: b\r\n", "Host: a\x01\r\n"}) {
        EXPECT_EQ(status_of("GET / HTTP/1.1", wrong), 400) << wrong;
    }
    std::string many = "GET /?";
    for (std::size_t n = 0; n < most_parameters; ++n) many += "a=1&";
    EXPECT_EQ(status_of(many + " HTTP/1.1"), 200);
    EXPECT_EQ(status_of(many + "a=1 HTTP/1.1"), 400);
}

TEST(HttpRequest, ends_with_an_empty_line) {
    EXPECT_FALSE(head_length("GET / HTTP/1.1\r\nHost: a\r\n"));
    EXPECT_FALSE(head_length("GET / HTTP/1.1\n\n"));
    EXPECT_EQ(head_length("GET / HTTP/1.1\r\n\r\nGET"), 18U);
}

}  // namespace
}  // namespace sluice::control::http
