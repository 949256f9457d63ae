#include "davit/hdf5/write_guard.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "davit/hdf5/handle.hpp"

namespace davit::hdf5 {
namespace {

constexpr haddr_t greatest_address = std::numeric_limits<off_t>::max();

// HDF5 sees the first member only, as it does with its own drivers.
struct GuardedFile {
  H5FD_t base;
  int descriptor;
  haddr_t allocated;  // HDF5's "eoa"
  haddr_t length;     // HDF5's "eof"; what the file would have if nothing had failed
  WriteGuard* guard;
};

GuardedFile& of(H5FD_t* file) { return *reinterpret_cast<GuardedFile*>(file); }
const GuardedFile& of(const H5FD_t* file) { return *reinterpret_cast<const GuardedFile*>(file); }

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* guard = static_cast<WriteGuard* const*>(H5Pget_driver_info(access));
  if (!guard) return nullptr;
  const int mode = (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) | (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) |
                   (flags & H5F_ACC_CREAT ? O_CREAT : 0) | (flags & H5F_ACC_EXCL ? O_EXCL : 0) | O_CLOEXEC;
  const int descriptor = ::open(name, mode, 0666);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    (*guard)->note(errno);
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  auto* file = new GuardedFile{{}, descriptor, 0, static_cast<haddr_t>(status.st_size), *guard};
  return &file->base;
}

herr_t close_file(H5FD_t* file) {
  if (::close(of(file).descriptor) != 0) of(file).guard->note(errno);
  delete &of(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).allocated = address;
  return 0;
}

haddr_t length(const H5FD_t* file, H5FD_mem_t) { return of(file).length; }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t count = ::pread(of(file).descriptor, to, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) {  // beyond the end, as HDF5's own driver has it
      std::memset(to, 0, size);
      return 0;
    }
    to += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  GuardedFile& to = of(file);
  to.length = std::max<haddr_t>(to.length, address + size);
  const auto* from = static_cast<const char*>(buffer);
  while (size > 0 && !to.guard->failed()) {
    const ssize_t count = ::pwrite(to.descriptor, from, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      to.guard->note(errno);
      break;
    }
    from += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  GuardedFile& to = of(file);
  if (to.length == to.allocated) return 0;
  to.length = to.allocated;
  if (!to.guard->failed() && ::ftruncate(to.descriptor, static_cast<off_t>(to.allocated)) != 0) to.guard->note(errno);
  return 0;
}

// The Recorder has a lock of its own. But HDF5 marks a file as being written only if its driver has these two.
herr_t lock(H5FD_t*, hbool_t) { return 0; }
herr_t unlock(H5FD_t*) { return 0; }

H5FD_class_t driver_class() {
  H5FD_class_t made{};
  made.name = "davit";
  made.maxaddr = greatest_address;
  made.fc_degree = H5F_CLOSE_WEAK;
  made.fapl_size = sizeof(void*);  // to the guard
  made.open = open_file;
  made.close = close_file;
  made.query = query;
  made.get_eoa = allocated;
  made.set_eoa = set_allocated;
  made.get_eof = length;
  made.read = read;
  made.write = write;
  made.truncate = truncate;
  made.lock = lock;
  made.unlock = unlock;
  constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), made.fl_map);
  return made;
}

// Once per life of the HDF5 library, which a program may close and open again.
hid_t driver() {
  static const H5FD_class_t made = driver_class();
  static hid_t id = -1;
  if (id < 0 || H5Iget_type(id) != H5I_VFL) id = check(H5FDregister(&made), "preparing to write files");
  return id;
}

}  // namespace

void WriteGuard::attach(hid_t file_access) {
  WriteGuard* self = this;
  hdf5::check(H5Pset_driver(file_access, driver(), &self), "preparing to write files");
}

void WriteGuard::check() const {
  if (error_ != 0) throw Failure(std::string("writing: ") + std::strerror(error_));
}

}  // namespace davit::hdf5
