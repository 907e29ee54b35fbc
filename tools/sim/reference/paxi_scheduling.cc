// Compares the study of PAXI frames with the share that a simulated output gives each class of
// traffic (section 5.6): acknowledgements first; requests, responses and multicast by weight, all
// three overloaded.
#include <array>

#include "tools/sim/reference/paxi.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace paxi_scheduling {

constexpr std::string_view source =
    "a study of how an L2 switch treats PAXI frames, 5.6: egress scheduling";
constexpr Priority multicast = 0;
constexpr Priority responses = 1;
constexpr Priority requests = 2;
constexpr Priority acknowledgements = 3;
constexpr PortIndex receiver = 4;

class Shares {
  public:
    Shares() {
        Settings settings = ports_of(receiver + std::size_t{1}, paxi::speed);
        SchedulerSettings& scheduler = settings.ports[receiver].scheduler;
        for (const auto& [priority, weight] : weights) {
            scheduler.discipline[priority] = Discipline::wrr;
            scheduler.weight[priority] = weight;
        }
        SwitchNode& node = bed_.add_switch(settings, {0, 1, 2, 3, receiver});
        for (PortIndex port = 0; port <= receiver; ++port) {
            bed_.add_host(node.port(port), {.speed = paxi::speed});
        }
        for (const Priority priority : {multicast, responses, requests}) {
            bed_.add_flow(priority, receiver,
                          {.priority = priority, .mix = frames_of(paxi::standard_frame)});
        }
        bed_.add_flow(acknowledgements, receiver,
                      {.priority = acknowledgements,
                       .mix = frames_of(Bytes(64)),
                       .pace = PaceSettings{.pace = Pace::poisson, .rate = paxi::speed / 20}});
        bed_.start();
        bed_.network.run_for(Nanos(100'000));
        std::array<uint64_t, max_priorities> before{};
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            before[priority] = received(priority);
        }
        bed_.network.run_for(Nanos(1'000'000));
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            received_[priority] = received(priority) - before[priority];
        }
    }

    // Returns the priority's share of the frames that are scheduled by weight.
    [[nodiscard]] double of(Priority priority) const {
        return static_cast<double>(received_[priority]) /
               static_cast<double>(received_[multicast] + received_[responses] +
                                   received_[requests]);
    }
    [[nodiscard]] double acknowledgements_lost() const {
        return static_cast<double>(bed_.node(0)
                                       .dataplane()
                                       .ingress(acknowledgements)
                                       .dropped({receiver, acknowledgements}));
    }

  private:
    struct Weight {
        Priority priority;
        uint16_t weight;
    };
    static constexpr std::array weights = {Weight{multicast, 10}, Weight{responses, 40},
                                           Weight{requests, 50}};

    uint64_t received(Priority priority) { return bed_.host(receiver).sink.received(priority); }

    Testbed bed_;
    std::array<uint64_t, max_priorities> received_{};
};

}  // namespace paxi_scheduling

void add_paxi_scheduling(Figures& figures) {
    using namespace paxi_scheduling;
    struct Row {
        std::string_view label;
        Priority priority;
        double share;
    };
    for (const Row& row :
         {Row{"REQ, weight 50", requests, 0.5}, Row{"RSP, weight 40", responses, 0.4},
          Row{"MUL, weight 10", multicast, 0.1}}) {
        figures.push_back({"WRR below ACK of 5 %, all overloaded, " + std::string(row.label) +
                               ": share of its frames",
                           source, row.share, 0.005, [row] { return Shares().of(row.priority); }});
    }
    figures.push_back({"ACK of 5 % by strict priority above them: frames lost", source, 0, 0,
                       [] { return Shares().acknowledgements_lost(); }});
}

}  // namespace sluice::sim
