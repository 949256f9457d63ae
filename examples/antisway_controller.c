/* A trolley that moves a hanging load without leaving it swinging: a controller of one's own for Davit, in plain C.
 * examples/antisway.yaml runs it, docs/own_controller.md explains it.
 *
 *   cc -O2 -fPIC -shared -I <davit>/include -o libantisway.so antisway_controller.c -lm
 *
 * Measured:  1. the speed that the operation asks of the trolley   antisway.trolley.target_rate
 *            2. travel and speed of the trolley                    trolley.travel, trolley.travel_rate
 *            3. the angle of the load about y                      sway.angle
 * Driven:    the trolley (N).
 *
 * Parameters: `mode`
 *   0  the trolley follows what is asked
 *   1  ZV shaper: half of it at once, half of it half a period later (Singer & Seering 1990)
 *   2  ZVD shaper: a quarter, a half, a quarter, half a period apart; also good when the period is not known well
 *   3  delayed feedback: the trolley is sent after where the load was `delay` ago,
 *        x = x_asked + gain l sin(theta(t - delay))   (Masoud & Nayfeh 2003)
 *      which damps a swing by s^2 + w^2 + gain s^2 exp(-s delay) = 0.
 * `length` of the pendulum; `mass` that the trolley has to move; `bandwidth` of its drive (rad/s); `gravity`.
 *
 * All that it remembers is in `state`, so a saved state of a run continues with the same bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "davit/control/controller.h"

enum mode { UNSHAPED, ZV, ZVD, DELAYED_FEEDBACK };
enum measured { ASKED_SPEED, TRAVEL, SPEED, ANGLE, MEASURED };
/* In the state: where the trolley was asked to be, what was asked of it last, and a ring of past values. */
enum memory { ASKED_TRAVEL, LAST_ASKED, LAST_TRAVEL, LAST_SPEED, RING };

typedef struct antisway {
  enum mode mode;
  double sample_time, length, mass, bandwidth, gain, delay;
  int ring; /* how many values it holds */
} antisway;

static double parameter(const davit_controller_setup* setup, const char* name, double otherwise) {
  for (int i = 0; i < setup->parameter_count; ++i)
    if (strcmp(setup->parameters[i].name, name) == 0) return setup->parameters[i].value;
  return otherwise;
}

int davit_controller_version(void) { return DAVIT_CONTROLLER_VERSION; }

int davit_controller_create(const davit_controller_setup* setup, davit_controller* controller, char* error) {
  const double mode = parameter(setup, "mode", ZV), length = parameter(setup, "length", 0);
  const double mass = parameter(setup, "mass", 0), gravity = parameter(setup, "gravity", 9.80665);
  if (setup->measured_count != MEASURED || setup->output_count != 1) {
    snprintf(
        error, DAVIT_CONTROLLER_ERROR_SIZE,
        "measure the asked speed, travel and speed of the trolley and the angle of the load, and drive the trolley");
    return 1;
  }
  if (!(length > 0) || !(mass > 0) || !(gravity > 0)) {
    snprintf(error, DAVIT_CONTROLLER_ERROR_SIZE, "give the parameters length and mass, both above zero");
    return 1;
  }
  if (mode != UNSHAPED && mode != ZV && mode != ZVD && mode != DELAYED_FEEDBACK) {
    snprintf(error, DAVIT_CONTROLLER_ERROR_SIZE, "mode is 0, 1, 2 or 3, and not %g", mode);
    return 1;
  }
  antisway* own = calloc(1, sizeof *own);
  if (!own) return 1;
  const double half_period = acos(-1.0) * sqrt(length / gravity);
  own->mode = (enum mode)mode;
  own->sample_time = setup->sample_time;
  own->length = length;
  own->mass = mass;
  own->bandwidth = parameter(setup, "bandwidth", 10);
  own->gain = parameter(setup, "gain", 0.4);
  own->delay = own->mode == DELAYED_FEEDBACK ? parameter(setup, "delay", half_period / 2) : half_period;
  own->ring = (int)(2 * own->delay / own->sample_time) + 3;
  controller->user = own;
  controller->state_count = RING + own->ring;
  return 0;
}

/* The value that was in the ring `time` ago, linear between samples. */
static double past(const antisway* own, const double* ring, long long now, double time) {
  const double samples = time / own->sample_time;
  const long long whole = (long long)samples;
  const double part = samples - (double)whole;
  const double later = ring[(now - whole + own->ring) % own->ring];
  return later + part * (ring[(now - whole - 1 + own->ring) % own->ring] - later);
}

int davit_controller_step(davit_controller* controller, const davit_controller_sample* sample, char* error) {
  (void)error;
  const antisway* own = controller->user;
  const double dt = own->sample_time, *measured = sample->measured;
  double *state = sample->state, *ring = state + RING;
  /* The load hangs at x + l sin(theta): a turn about y carries it the other way. */
  const double theta = -measured[ANGLE];
  const double kept = own->mode == DELAYED_FEEDBACK ? own->length * sin(theta) : measured[ASKED_SPEED];
  if (sample->index == 0) {
    state[ASKED_TRAVEL] = measured[TRAVEL];
    state[LAST_ASKED] = measured[ASKED_SPEED];
    for (int i = 0; i < own->ring; ++i) ring[i] = kept;
  }
  ring[sample->index % own->ring] = kept;

  /* What shall the trolley do: by the shaped speed … */
  double asked = measured[ASKED_SPEED];
  if (own->mode == ZV) asked = 0.5 * (asked + past(own, ring, sample->index, own->delay));
  if (own->mode == ZVD)
    asked = 0.25 * asked + 0.5 * past(own, ring, sample->index, own->delay) +
            0.25 * past(own, ring, sample->index, 2 * own->delay);
  if (sample->index > 0) state[ASKED_TRAVEL] += 0.5 * dt * (state[LAST_ASKED] + asked);
  state[LAST_ASKED] = asked;
  /* … and after the load. */
  double travel = state[ASKED_TRAVEL], speed = asked;
  if (own->mode == DELAYED_FEEDBACK) {
    const double after = own->gain * past(own, ring, sample->index, own->delay);
    const double after_before = own->gain * past(own, ring, sample->index, own->delay + dt);
    travel += after;
    speed += (after - after_before) / dt;
  }

  /* The drive of the trolley: critically damped about what is asked, with its acceleration ahead. */
  const double acceleration = sample->index > 0 ? (speed - state[LAST_SPEED]) / dt : 0;
  state[LAST_SPEED] = speed;
  const double w = own->bandwidth;
  sample->outputs[0] =
      own->mass * (acceleration + 2 * w * (speed - measured[SPEED]) + w * w * (travel - measured[TRAVEL]));
  return 0;
}

void davit_controller_destroy(davit_controller* controller) { free(controller->user); }
