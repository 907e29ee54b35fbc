#include "control/socket/access.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace sluice::control {
namespace {

TEST(Access, is_by_user_and_by_any_group) {
    const SocketFile file{.owner = 100, .group = 200};
    constexpr gid_t readers = 300;
    const auto access = [&](uid_t user, std::vector<gid_t> groups) {
        return access_of({.user = user, .groups = std::move(groups)}, file, readers);
    };
    EXPECT_EQ(access(0, {1}), Access::all);
    EXPECT_EQ(access(100, {1}), Access::all);
    EXPECT_EQ(access(7, {1, 200}), Access::all);
    EXPECT_EQ(access(7, {300, 200}), Access::all);
    EXPECT_EQ(access(7, {300, 1}), Access::show);
    EXPECT_EQ(access(300, {100, 1}), Access::none) << "a user's number is no group's";
    EXPECT_EQ(access(7, {}), Access::none);
}

TEST(Access, knows_who_is_at_the_other_end) {
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    const auto client = identity_of(ends[0]);
    ASSERT_TRUE(client);
    EXPECT_EQ(client->user, geteuid());
    std::vector<gid_t> mine(static_cast<std::size_t>(getgroups(0, nullptr)));
    ASSERT_EQ(getgroups(static_cast<int>(mine.size()), mine.data()), mine.size());
    mine.push_back(getegid());
    std::ranges::sort(mine);
    auto groups = client->groups;
    std::ranges::sort(groups);
    EXPECT_EQ(groups, mine);
    for (const int end : ends) close(end);
}

TEST(Access, does_not_know_who_is_at_the_end_of_something_else) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    EXPECT_FALSE(identity_of(ends[0]));
    for (const int end : ends) close(end);
}

TEST(Access, finds_groups_by_name_and_number) {
    EXPECT_EQ(group_called("root").value_or(1), 0U);
    EXPECT_EQ(group_called("4711").value_or(1), 4711U);
    EXPECT_EQ(group_called("4294967294").value_or(1), 4294967294U);
    EXPECT_FALSE(group_called("4294967296")) << "no group has so large a number, nor is it 0";
    EXPECT_EQ(group_called("no-such-group").error(),
              "control.readers: there is no group no-such-group; make it by `groupadd --system "
              "no-such-group`, or name another");
}

std::string answered_to_readers(std::string_view line) {
    const Answer answer = answer_for_readers(
        [](std::string_view, const Reply& reply) { reply("answered"); }, "watchers");
    std::string said;
    answer(line, Reply([&](std::string text, std::unique_ptr<Feed>) { said = std::move(text); }));
    return said;
}

TEST(Access, readers_are_shown_and_refused_all_else) {
    EXPECT_EQ(answered_to_readers(R"({"show": "ports"})"), "answered");
    EXPECT_EQ(answered_to_readers(R"({"show": "config"})"), "answered");
    EXPECT_EQ(answered_to_readers("nonsense"), "answered") << "which says what is wrong with it";
    for (const char* const line :
         {R"({"apply": {"file": "x", "text": ""}})", R"({"confirm": true})", R"({"flush": "fdb"})",
          R"({"clear": "counters"})", R"({"clear": "watermarks"})",
          R"({"capture": {"ports": ["p0"], "of": ["in"]}})", R"({"trace": {"port": "p0"}})",
          R"({"what_if": {"port": "p0", "frame": "eth src 02:00:00:00:00:01 )"
          R"(dst 02:00:00:00:00:02"}})",
          R"({"try_cable": ["p0", "p1"]})"}) {
        EXPECT_EQ(answered_to_readers(line),
                  R"({"status":1,"errors":["sluiced: group watchers (control.readers) may only )"
                  R"(use show; run this as root, or as a member of the socket's group"]})")
            << line;
    }
}

}  // namespace
}  // namespace sluice::control
