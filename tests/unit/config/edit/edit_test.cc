#include "config/edit/edit.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

const std::string file =
    "# rack 7\n"
    "defaults:\n"
    "  pfc: {xoff: 64KiB}   # measured\n"
    "  lossless: [3]\n"
    "\n"
    "ports:\n"
    "  # to the storage\n"
    "  - name: host1\n"
    "    device: \"ring:x/a\"  # left\n"
    "    # half of it\n"
    "    rate: 5G\n"
    "  - {name: a.b, device: ring:x/b}\n"
    "  # to the spine\n"
    "  - device: ring:y\n"
    "vlans:\n"
    "  - id: 10\n"
    "    untagged: [host1]\n";

// Returns the lines that an edit removed and added.
std::string difference(const std::string& after) {
    std::string text;
    std::size_t from = 0;
    std::size_t to = 0;
    const auto line = [](const std::string& of, std::size_t at) {
        return of.substr(at, of.find('\n', at) - at + 1);
    };
    while (from < file.size() || to < after.size()) {
        const std::string old = from < file.size() ? line(file, from) : "";
        const std::string now = to < after.size() ? line(after, to) : "";
        if (old == now) {
            from += old.size();
            to += now.size();
        } else if (!old.empty() &&
                   after.find("\n" + old, to == 0 ? 0 : to - 1) == std::string::npos) {
            text += "-" + old;
            from += old.size();
        } else {
            text += "+" + now;
            to += now.size();
        }
    }
    return text;
}

std::string set(std::string_view path, std::string_view value) {
    const auto edited = set_key(file, path, value);
    return edited ? difference(*edited) : edited.error();
}
std::string unset(std::string_view path) {
    const auto edited = unset_key(file, path);
    return edited ? difference(*edited) : edited.error();
}

TEST(Edit, sets_a_value_and_leaves_the_line_as_it_is) {
    EXPECT_EQ(set("ports.host1.rate", "1G"), "-    rate: 5G\n+    rate: 1G\n");
    EXPECT_EQ(set("ports.host1.device", "ring:z"),
              "-    device: \"ring:x/a\"  # left\n+    device: ring:z  # left\n");
    EXPECT_EQ(set("defaults.pfc.xoff", "1KiB"),
              "-  pfc: {xoff: 64KiB}   # measured\n+  pfc: {xoff: 1KiB}   # measured\n");
    EXPECT_EQ(set("defaults.lossless", "[3, 4]"), "-  lossless: [3]\n+  lossless: [3, 4]\n");
    EXPECT_EQ(set("ports[1].device", "'null:'"),
              "-  - {name: a.b, device: ring:x/b}\n+  - {name: a.b, device: \"null:\"}\n");
}

TEST(Edit, a_path_names_elements_as_diff_and_faults_do) {
    for (const std::string_view path : {"ports.a.b.rate", "ports[a.b].rate", "ports[1].rate"}) {
        EXPECT_EQ(set(path, "1G"),
                  "-  - {name: a.b, device: ring:x/b}\n"
                  "+  - {name: a.b, device: ring:x/b, rate: 1G}\n");
    }
    for (const std::string_view path : {"ports.p2.rate", "ports[2].rate"}) {
        EXPECT_EQ(set(path, "1G"), "+    rate: 1G\n");
    }
    EXPECT_EQ(set("vlans.10.name", "storage"), "+    name: storage\n");
}

TEST(Edit, makes_what_is_on_the_way) {
    EXPECT_EQ(set("ports.host1.pfc.watchdog.detection", "1ms"),
              "+    pfc: {watchdog: {detection: 1ms}}\n");
    EXPECT_EQ(set("ports.host1.ecn.3.low", "1KiB"), "+    ecn: {3: {low: 1KiB}}\n");
    EXPECT_EQ(set("ports.new.device", "ring:n"), "+  - {name: new, device: ring:n}\n");
    EXPECT_EQ(set("vlans.20", "{tagged: [host1]}"), "+  - {id: 20, tagged: [host1]}\n");
    EXPECT_EQ(set("vlans[1]", "{id: 20}"), "+  - {id: 20}\n");
    EXPECT_EQ(set("fabric.iterations", "3"), "+fabric: {iterations: 3}\n");
    EXPECT_EQ(set("lldp.system_name", "'a # b'"), "+lldp: {system_name: \"a # b\"}\n");
}

TEST(Edit, unsets_with_what_is_beside_and_keeps_what_is_above) {
    EXPECT_EQ(unset("ports.host1.rate"), "-    rate: 5G\n");
    EXPECT_EQ(unset("defaults.lossless"), "-  lossless: [3]\n");
    EXPECT_EQ(unset("ports.host1.name"),
              "-  - name: host1\n-    device: \"ring:x/a\"  # left\n"
              "+  - device: \"ring:x/a\"  # left\n");
    EXPECT_EQ(unset("ports[1].name"),
              "-  - {name: a.b, device: ring:x/b}\n+  - {device: ring:x/b}\n");
    EXPECT_EQ(unset("ports[1].device"), "-  - {name: a.b, device: ring:x/b}\n+  - {name: a.b}\n");
    EXPECT_EQ(unset("ports.host1"),
              "-  - name: host1\n-    device: \"ring:x/a\"  # left\n"
              "-    # half of it\n-    rate: 5G\n");
    EXPECT_EQ(unset("ports.p2.device"), "-  - device: ring:y\n+  - {}\n");
    EXPECT_EQ(unset("ports.p2"), "-  - device: ring:y\n");
}

TEST(Edit, a_map_or_list_that_would_hold_nothing_goes_too) {
    EXPECT_EQ(unset("defaults.pfc.xoff"), "-  pfc: {xoff: 64KiB}   # measured\n");
    EXPECT_EQ(unset("vlans.10"), "-vlans:\n-  - id: 10\n-    untagged: [host1]\n");
}

TEST(Edit, names_what_is_wrong_with_a_path) {
    EXPECT_EQ(set("ports.host1.mtuu", "1"),
              "ports.host1.mtuu: is not a known key; did you mean mtu");
    EXPECT_EQ(set("ports.host1.iterations", "1"),
              "ports.host1.iterations: is not a known key; it belongs under fabric");
    EXPECT_EQ(set("ports.host1.rate.x", "1"),
              "ports.host1.rate.x: rate has no keys below it; leave .x out");
    EXPECT_EQ(set("mirrors[3].to", "p1"),
              "mirrors[3].to: mirrors has 0 element(s), counted from 0; write an index up to 0");
    EXPECT_EQ(set("", "1"), "PATH: ends without a key; a path such as ports.p0.rate");
    EXPECT_EQ(set("ports.", "1"), "ports.: ends without an element; add its name, id or index");
    EXPECT_EQ(set("ports.host1.rate", ""),
              "ports.host1.rate: no value; `sluice unset` removes a key");
    EXPECT_EQ(set("ports.host1.rate", "[1"),
              "VALUE:1:3: file: is not YAML: end of sequence flow not found; correct the "
              "indentation, brackets, quotes or colons here or just above");
    EXPECT_EQ(unset("fabric.slots"),
              "fabric.slots: is not configured; `sluice show config` shows the configured keys");
    EXPECT_EQ(unset("ports.host1.pfc.xoff"),
              "ports.host1.pfc.xoff: is not configured there; `sluice show config` shows the "
              "configured keys, those of ports also under defaults");
}

TEST(Edit, follows_what_yaml_has_of_forms) {
    const std::string text =
        "ports: [\n"
        "  {device: 'it''s: \"x\" # no',   # one\n"
        "   description: two\n"
        "     lines},\n"
        "  # of the second\n"
        "  {device: \"a \\\" b\", name: b}  # two\n"
        "]\n"
        "lldp:\n"
        "  system_description: |  # long\n"
        "    first\n"
        "\n"
        "    last\n"
        "  interval: ~   # as it is\n"
        "fabric:\n";
    const auto edit = [&](std::string_view path, std::string_view value) {
        const auto edited = set_key(text, path, value);
        return edited ? *edited : edited.error();
    };
    const auto with = [&](std::string_view old, std::string_view now) {
        std::string changed = text;
        return changed.replace(changed.find(old), old.size(), now);
    };
    EXPECT_EQ(edit("ports[0].description", "3"), with("two\n     lines", "3"));
    EXPECT_EQ(edit("ports[0].device", "x"), with("'it''s: \"x\" # no'", "x"));
    EXPECT_EQ(edit("ports.c", "{device: c}"),
              with("name: b}", "name: b},\n  {name: c, device: c}"));
    EXPECT_EQ(edit("lldp.system_description", "x"), with("|  # long\n    first\n\n    last", "x"));
    EXPECT_EQ(edit("lldp.interval", "9s"), with(" ~", " 9s"));
    EXPECT_EQ(edit("fabric.slots", "4"), with("fabric:", "fabric: {slots: 4}"));
    EXPECT_EQ(unset_key(text, "ports.b").value_or(""),
              with("},\n  # of the second\n  {device: \"a \\\" b\", name: b}  # two",
                   "}\n  # of the second\n    # two"));
    EXPECT_EQ(unset_key(text, "lldp.system_description").value_or(""),
              with("  system_description: |  # long\n    first\n\n    last\n", ""));
}

TEST(Edit, keeps_line_ends_and_the_mark_at_the_beginning) {
    const std::string text = "\xEF\xBB\xBFports:\r\n  - device: ring:a\r\n";
    EXPECT_EQ(set_key(text, "ports.p0.rate", "1G").value_or(""),
              "\xEF\xBB\xBFports:\r\n  - device: ring:a\r\n    rate: 1G\r\n");
    EXPECT_EQ(set_key("ports: [{device: ring:a}]", "fabric.slots", "4").value_or(""),
              "ports: [{device: ring:a}]\nfabric: {slots: 4}");
}

TEST(Edit, what_it_cannot_follow_stays_as_it_is) {
    const auto edited = set_key("? ports\n: - device: ring:a\n", "ports.p0.rate", "1G");
    EXPECT_TRUE(edited) << edited.error();
    const auto not_edited =
        unset_key("? ports\n: - device: ring:a\n? fabric\n: slots: 4\n", "fabric");
    ASSERT_FALSE(not_edited);
    EXPECT_NE(not_edited.error().find("cannot be edited in its place"), std::string::npos);
}

}  // namespace
}  // namespace sluice::config
