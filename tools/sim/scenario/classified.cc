#include "tools/sim/scenario/classified.h"

#include "dataplane/ingress/classify.h"
#include "dataplane/ingress/parse.h"

namespace sluice::sim {

Priority classified(const PortSettings& port, const FrameHeader& header) {
    Headers headers;
    if (parse(header, headers) != Drop::none) return port.classify.default_priority;
    return Classifier(port.classify, port.format)(headers, header);
}

}  // namespace sluice::sim
