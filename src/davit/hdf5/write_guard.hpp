// How files are written that must survive a full disk: an HDF5 file driver.
//
// Solves: after a failed write HDF5 1.10 still holds metadata of rows that are not there; it writes that over the good
// end of the file when it closes it, or cannot close it and then crashes when the program exits. This driver notes the
// first failure, lets nothing reach the file from then on, and tells HDF5 that all is well. The file stays as a kill at
// that moment would have left it, and whoever holds the guard asks it whether anything failed.
// Does not: serve readers; they use HDF5's own driver.
#pragma once

#include <hdf5.h>

namespace davit::hdf5 {

// Must outlive the file it guards.
class WriteGuard {
 public:
  // Makes files that are opened with this property list go through the driver, and report to this guard.
  void attach(hid_t file_access);
  void note(int error_number) {
    if (error_ == 0) error_ = error_number;
  }
  bool failed() const { return error_ != 0; }
  void check() const;  // throws Failure with the operating system's word for what happened

 private:
  int error_ = 0;
};

}  // namespace davit::hdf5
