#include "davit/control/controller.h"

int davit_controller_version(void) { return 99; }
int davit_controller_create(const davit_controller_setup* s, davit_controller* c, char* e) {
  return s == 0 || c == 0 || e == 0;
}
int davit_controller_step(davit_controller* c, const davit_controller_sample* s, char* e) {
  return s == 0 || c == 0 || e == 0;
}
void davit_controller_destroy(davit_controller* c) { (void)c; }
