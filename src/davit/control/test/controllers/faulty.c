/* Does what a controller must not do, from the sample `at` on: `fault` says what. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "davit/control/controller.h"

static double parameter(const davit_controller_setup* setup, const char* name) {
  for (int i = 0; i < setup->parameter_count; ++i)
    if (strcmp(setup->parameters[i].name, name) == 0) return setup->parameters[i].value;
  return 0;
}

static double fault, at;

static int overflow_stack(volatile char* above) {
  volatile char here[4096];
  here[0] = above ? above[0] : 1;
  return here[0] ? overflow_stack(here) + here[1] : 0;
}

int davit_controller_version(void) { return DAVIT_CONTROLLER_VERSION; }

int davit_controller_create(const davit_controller_setup* setup, davit_controller* controller, char* error) {
  fault = parameter(setup, "fault");
  at = parameter(setup, "at");
  controller->state_count = 0;
  if (fault == 21) {
    snprintf(error, DAVIT_CONTROLLER_ERROR_SIZE, "the parameter length is missing");
    return 1;
  }
  if (fault == 22) *(volatile int*)8 = 1;
  if (fault == 23)
    for (;;) usleep(1000);
  if (fault == 24) controller->state_count = -5;
  if (fault == 25) return 1;
  return 0;
}

int davit_controller_step(davit_controller* controller, const davit_controller_sample* s, char* error) {
  (void)controller;
  s->outputs[0] = 0.25 * (double)s->index;
  if ((double)s->index < at) return 0;
  if (fault == 1) *(volatile int*)8 = 1;
  if (fault == 2) abort();
  if (fault == 3) raise(SIGFPE);
  if (fault == 4)
    for (;;) usleep(1000);
  if (fault == 5) s->outputs[0] = NAN;
  if (fault == 6) s->outputs[0] = -INFINITY;
  if (fault == 7) {
    snprintf(error, DAVIT_CONTROLLER_ERROR_SIZE, "the load cell is \033[31mbroken");
    return 1;
  }
  if (fault == 8) exit(7);
  if (fault == 9) return -1;
  if (fault == 10) s->outputs[0] = overflow_stack(0);
  if (fault == 11) memset(error, 'x', DAVIT_CONTROLLER_ERROR_SIZE);
  return fault == 11;
}

void davit_controller_destroy(davit_controller* controller) {
  (void)controller;
  if (fault == 31)
    for (;;) usleep(1000);
  if (fault == 32) abort();
}
