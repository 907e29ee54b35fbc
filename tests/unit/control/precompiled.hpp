// precompiled.hpp for tests of what runs beside the workers.
#include "tests/support/precompiled.hpp"
#include "tests/unit/control/driven_switch.h"
