/* τ = -kp q - ki ∫q dt - kd u with the integral kept by Davit, or inside the controller (parameter `inside`). */
#include <stdlib.h>
#include <string.h>

#include "davit/control/controller.h"

typedef struct pid {
  double kp, ki, kd, sample_time, integral;
  int inside;
} pid;

int davit_controller_version(void) { return DAVIT_CONTROLLER_VERSION; }

int davit_controller_create(const davit_controller_setup* setup, davit_controller* controller, char* error) {
  (void)error;
  pid* own = calloc(1, sizeof *own);
  own->sample_time = setup->sample_time;
  for (int i = 0; i < setup->parameter_count; ++i) {
    const davit_parameter p = setup->parameters[i];
    if (strcmp(p.name, "kp") == 0) own->kp = p.value;
    if (strcmp(p.name, "ki") == 0) own->ki = p.value;
    if (strcmp(p.name, "kd") == 0) own->kd = p.value;
    if (strcmp(p.name, "inside") == 0) own->inside = p.value != 0;
  }
  controller->user = own;
  controller->state_count = own->inside ? 0 : 1;
  return 0;
}

int davit_controller_step(davit_controller* controller, const davit_controller_sample* s, char* error) {
  (void)error;
  pid* own = controller->user;
  double* integral = own->inside ? &own->integral : s->state;
  *integral += s->measured[0] * own->sample_time;
  s->outputs[0] = -(own->kp * s->measured[0] + own->ki * *integral + own->kd * s->measured[1]);
  return 0;
}

void davit_controller_destroy(davit_controller* controller) { free(controller->user); }
