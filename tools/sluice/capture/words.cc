#include "tools/sluice/capture/capture.h"

namespace sluice::cli {

CLI::App* add_capture(CLI::App& app, CaptureOptions& options) {
    CLI::App* const command =
        app.add_subcommand("capture", "Write frames of a running sluiced into a pcapng file");
    command->add_option("PORT", options.ports, "Ports or aggregations, by name")->required();
    command->add_flag("--in", options.in, "Received frames");
    command->add_flag("--out", options.out, "Sent frames, those of the switch included");
    command->add_flag(
        "--drops", options.drops,
        "Frames dropped or trimmed at the port, or on their way to it, with the reason");
    command->add_option("--priority", options.priorities, "Only of this priority, or these")
        ->type_name("P")
        ->check(CLI::Range(0, 7))
        ->expected(1)
        ->take_all();
    command
        ->add_option("--filter", options.filter,
                     "Only frames that match an expression of pcap-filter(7)")
        ->type_name("EXPRESSION");
    command->add_option("--snaplen", options.snaplen, "Octets that are kept of a frame")
        ->type_name("N")
        ->check(CLI::Range(1, 65535))
        ->capture_default_str();
    command->add_option("-w,--write", options.file, "The file; -: standard output")
        ->type_name("FILE")
        ->required();
    command->add_option("-c,--count", options.count, "Number of frames; default: until interrupted")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command->footer(
        "Without --in, --out and --drops: captures received and sent frames. Each frame has the\n"
        "name of its port, a direction, a time in nanoseconds, and a comment: priority and input;\n"
        "a dropped frame its reason, its VOQ and the octets queued there; a trimmed frame,\n"
        "captured whole, the same. Ports do not see the FCS, so it is left out.\n"
        "\n"
        "  sluice capture p0 -w p0.pcapng -c 1000         1000 frames in and out\n"
        "  sluice capture p3 --drops -w drops.pcapng      frames dropped there, and why\n"
        "  sluice capture p0 --in --filter 'vlan and arp' -w - | tshark -r -\n"
        "  sluice capture p0 p1 --out --priority 3 --snaplen 128 -w out.pcapng\n"
        "\n"
        "A capture does not make the switch lose frames: frames that arrive faster than this\n"
        "command reads them are missing from the file, and counted at the end. Frames keep their\n"
        "tags, so `arp` finds those without a tag, and `vlan and arp` the others.");
    return command;
}

}  // namespace sluice::cli
