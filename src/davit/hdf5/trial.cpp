#include "davit/hdf5/trial.hpp"

#include <algorithm>

#include "davit/hdf5/handle.hpp"
#include "davit/io/guard.hpp"
#include "davit/io/read_file.hpp"

namespace davit::hdf5 {

std::string trial(const std::filesystem::path& file, std::uintmax_t most_bytes,
                  const std::function<std::string()>& read) {
  const std::uintmax_t size = io::check_file(file, most_bytes);
  constexpr std::uintmax_t least = std::uintmax_t{256} << 20u, most = std::uintmax_t{2} << 30u;
  io::Limits limits;
  limits.memory = std::min(least + 16 * std::min(size, most), most);
  constexpr std::uintmax_t bytes_per_second = 20'000'000;  // of a compressed file, at least
  limits.seconds = static_cast<unsigned>(3 + size / bytes_per_second);
  const Quiet quiet;
  return io::in_child(
      [&] {
        Quiet::renew_lock();
        // HDF5 uses its memory again without asking for it: then it would not be filled (guard.cpp).
        H5set_free_list_limits(0, 0, 0, 0, 0, 0);
        return read();
      },
      limits);
}

}  // namespace davit::hdf5
