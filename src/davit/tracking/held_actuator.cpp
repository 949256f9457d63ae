#include "davit/tracking/held_actuator.hpp"

namespace davit {
template class ForceOf<tracking::HeldActuator>;
}
