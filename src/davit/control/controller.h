/* Controllers of your own for Davit: a shared library that a scenario names under `control` as
 *
 *   my_controller: {library: {file: libmine.so, sample_time: 20 ms, measure: [trolley.travel], drive: [trolley]}}
 *
 * exports the four functions below. This header is plain C, needs nothing else of Davit, and may be copied.
 * docs/own_controller.md explains it; examples/antisway_controller.c is a controller.
 *
 *   cc -O2 -fPIC -shared -o libmine.so mine.c
 *
 * All numbers are SI: m, rad, s, N, N m. A controller runs in a process of its own: it may print (to the terminal's
 * error output), and if it crashes or hangs, the run ends with its name and keeps what was recorded.
 */
#ifndef DAVIT_CONTROLLER_H
#define DAVIT_CONTROLLER_H

#define DAVIT_CONTROLLER_VERSION 1
/* Bytes of an error text, with the zero at its end. */
#define DAVIT_CONTROLLER_ERROR_SIZE 512

#ifdef __cplusplus
extern "C" {
#endif

#define DAVIT_CONTROLLER_EXPORT __attribute__((visibility("default")))

/* A measured channel or a driven joint or winch. */
typedef struct davit_port {
  const char* name;
  const char* unit; /* in which its numbers are */
} davit_port;

typedef struct davit_parameter {
  const char* name;
  double value;
} davit_parameter;

/* What the scenario says of the controller. It stays where it is until the controller is destroyed. */
typedef struct davit_controller_setup {
  const char* name;   /* of the controller */
  double sample_time; /* s */
  int measured_count, output_count, parameter_count;
  const davit_port* measured; /* in the order of the file */
  const davit_port* outputs;
  const davit_parameter* parameters;
} davit_controller_setup;

/* A controller, which davit_controller_create fills in. */
typedef struct davit_controller {
  void* user;      /* whatever it wants */
  int state_count; /* numbers that Davit shall keep for it, see davit_controller_sample.state */
} davit_controller;

/* One sample. */
typedef struct davit_controller_sample {
  double time;            /* s */
  long long index;        /* 0 for the first sample, then 1, 2, ... */
  const double* measured; /* what the sensors show now */
  double* outputs; /* to be written; holds what was written last, before the first sample what the outputs begin with */
  /* Memory of the controller that belongs to the state of the run, zero before the first sample. A controller that
   * remembers only here goes on with the same bits where a saved state is continued. */
  double* state;
} davit_controller_sample;

/* Returns DAVIT_CONTROLLER_VERSION. */
DAVIT_CONTROLLER_EXPORT int davit_controller_version(void);

/* Called when the scenario is checked, and before the first sample of every run. Returns 0, or anything else with the
 * reason in `error` (a parameter that is missing, a wrong number of channels): the file is then refused. */
DAVIT_CONTROLLER_EXPORT int davit_controller_create(const davit_controller_setup* setup, davit_controller* controller,
                                                    char* error);

/* Called at every sample; outputs are held until the next. Returns 0, or anything else with the reason in `error`: the
 * run then ends. So it does when an output is not a finite number. */
DAVIT_CONTROLLER_EXPORT int davit_controller_step(davit_controller* controller, const davit_controller_sample* sample,
                                                  char* error);

DAVIT_CONTROLLER_EXPORT void davit_controller_destroy(davit_controller* controller);

#ifdef __cplusplus
}
#endif

#endif
