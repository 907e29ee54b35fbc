#include "tools/snmp/fdb_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace sluice::snmp {
namespace {

// Answers as sluiced does: rows behind a place, as many as requested.
struct Addresses {
    std::set<std::pair<unsigned, std::string>> all;  // VLAN and address, in their order
    unsigned pages = 0;

    std::optional<Json> operator()(const Json& request) {
        if (request.at("show") != "fdb") {
            return request.at("show") == "ports" ? Json::array({{{"name", "p0"}, {"index", 0}}})
                                                 : Json();
        }
        ++pages;
        Json rows = Json::array();
        auto at = all.begin();
        if (request.contains("after")) {
            const Json& after = request.at("after");
            at = all.upper_bound(
                {after.at("vlan").get<unsigned>(), after.at("address").get<std::string>()});
        }
        for (; at != all.end() && rows.size() < request.at("limit").get<std::size_t>(); ++at) {
            rows.push_back({{"vlan", at->first},
                            {"address", at->second},
                            {"family", "ethernet"},
                            {"port", "p0"},
                            {"kind", at->first == 2 ? "static" : "learned"}});
        }
        return rows;
    }
};

struct Walked {
    Addresses addresses;
    Tables::Ask ask = [this](const Json& request) { return addresses(request); };
    Tables tables{ask};
    FdbTable fdb{ask, tables};
    Now now{.steady_ms = 5000};

    std::vector<FdbTable::Instance> walk(const Oid& table) {
        std::vector<FdbTable::Instance> all;
        Oid name = table;
        while (auto next = fdb.behind(table, name, false, now)) {
            name = next->first;
            all.push_back(std::move(*next));
        }
        return all;
    }
    std::optional<Oid> behind(const Oid& index, bool at_it = false) {
        const auto found = fdb.behind(FdbTable::dot1q, joined(FdbTable::dot1q, index), at_it, now);
        return found ? std::optional(Oid(found->first.begin() + 11, found->first.end()))
                     : std::nullopt;
    }
};

TEST(FdbTable, AWalkSeesEachAddressOnceByPages) {
    Walked at;
    for (unsigned n = 0; n < 5000; ++n) {
        at.addresses.all.insert(
            {1 + n % 3, fmt::format("02:00:00:00:{:02x}:{:02x}", n >> 8, n & 255)});
    }
    const auto all = at.walk(FdbTable::dot1q);
    EXPECT_EQ(all.size(), 2 * 5000U) << "a port and a status each";
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, &FdbTable::Instance::first));
    EXPECT_LE(at.addresses.pages, 2 * 4U);
    EXPECT_EQ(all[0].second, integer(1)) << "dot1dBasePort";
    EXPECT_EQ(at.walk(FdbTable::dot1d).size(), 3 * 1667U) << "VLAN 1, and with its address";
}

TEST(FdbTable, AnyNameLeadsToTheNextAddress) {
    Walked at;
    at.addresses.all = {
        {1, "02:00:00:00:00:01"}, {1, "ff:ff:ff:ff:ff:fe"}, {2, "00:00:00:00:00:00"}};
    const Oid first = {1, 2, 1, 2, 0, 0, 0, 0, 1}, last = {1, 2, 1, 255, 255, 255, 255, 255, 254},
              other = {1, 2, 2, 0, 0, 0, 0, 0, 0}, status = {1, 3, 1, 2, 0, 0, 0, 0, 1};
    EXPECT_EQ(at.behind({}), first);
    EXPECT_EQ(at.behind({1, 1, 7}), first) << "the column before has no instances";
    EXPECT_EQ(at.behind({1, 2, 1}), first);
    EXPECT_EQ(at.behind({1, 2, 1, 2}), first);
    EXPECT_EQ(at.behind(first, true), first);
    EXPECT_EQ(at.behind(first), last);
    EXPECT_EQ(at.behind({1, 2, 1, 2, 0, 0, 0, 0, 1, 0}), last) << "behind the name of an instance";
    EXPECT_EQ(at.behind({1, 2, 1, 2, 0, 0, 0, 0, 256}), last) << "no octet";
    EXPECT_EQ(at.behind(last), other);
    EXPECT_EQ(at.behind({1, 2, 2}), other);
    EXPECT_EQ(at.behind(other), status);
    EXPECT_EQ(at.behind({1, 2, 4095}), status);
    EXPECT_EQ(at.behind({1, 4}), std::nullopt);
    EXPECT_EQ(at.behind({2}), std::nullopt);
    EXPECT_EQ(at.fdb.behind(FdbTable::dot1q, {1, 3, 7}, false, at.now), std::nullopt);
}

TEST(FdbTable, StatusSaysHowAnAddressCame) {
    Walked at;
    at.addresses.all = {{1, "02:00:00:00:00:01"}, {2, "02:00:00:00:00:02"}};
    const auto all = at.walk(FdbTable::dot1q);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[2].second, integer(3)) << "learned";
    EXPECT_EQ(all[3].second, integer(5)) << "mgmt";
}

TEST(FdbTable, APageIsReadAgainOnceItIsOld) {
    Walked at;
    at.addresses.all = {{1, "02:00:00:00:00:01"}};
    EXPECT_EQ(at.walk(FdbTable::dot1q).size(), 2U);
    at.addresses.all.clear();
    EXPECT_EQ(at.walk(FdbTable::dot1q).size(), 2U);
    at.now.steady_ms += Tables::stays_ms;
    EXPECT_TRUE(at.walk(FdbTable::dot1q).empty());
}

}  // namespace
}  // namespace sluice::snmp
