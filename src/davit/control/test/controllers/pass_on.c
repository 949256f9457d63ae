/* Every output is what is measured in its place. */
#include <stdio.h>

#include "davit/control/controller.h"

int davit_controller_version(void) { return DAVIT_CONTROLLER_VERSION; }

int davit_controller_create(const davit_controller_setup* setup, davit_controller* controller, char* error) {
  controller->user = (void*)(long)setup->output_count;
  if (setup->measured_count == setup->output_count) return 0;
  snprintf(error, DAVIT_CONTROLLER_ERROR_SIZE, "measure as many channels as are driven");
  return 1;
}

int davit_controller_step(davit_controller* controller, const davit_controller_sample* s, char* error) {
  (void)error;
  for (long i = 0; i < (long)controller->user; ++i) s->outputs[i] = s->measured[i];
  return 0;
}

void davit_controller_destroy(davit_controller* controller) { (void)controller; }
