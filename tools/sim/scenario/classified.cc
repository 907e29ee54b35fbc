#include "tools/sim/scenario/classified.h"

#include "dataplane/ingress/classify.h"
#include "dataplane/ingress/parse.h"

namespace sluice::sim {

Priority classified(const PortSettings& port, const FrameHeader& header) {
    Headers headers;
    const Format format(port.format);
    const Drop why = format.is_standard ? parse(header, headers) : parse(format, header, headers);
    if (why != Drop::none) return port.classify.default_priority;
    return Classifier(port.classify, port.format)(headers, header);
}

}  // namespace sluice::sim
