// Changes of a well-formed HDF5 file that leave it well-formed: attributes and datasets get another type, shape or
// size, or vanish; links lead elsewhere. Made through HDF5 itself, so that checksums are right and every byte of a
// fuzzer's input matters: damaged bytes rarely get past HDF5. Shared by the fuzz targets of all modules.
#pragma once

#include <hdf5.h>

#include <array>
#include <string>
#include <vector>

#include "davit/hdf5/handle.hpp"
#include "davit/test/fuzz_file.hpp"

namespace davit::test {

class Hdf5Edits {
 public:
  Hdf5Edits(hid_t file, FuzzBytes& bytes) : file_(file), bytes_(bytes) {
    H5Ovisit(
        file_, H5_INDEX_NAME, H5_ITER_INC,
        [](hid_t, const char* name, const H5O_info_t*, void* data) -> herr_t {
          static_cast<std::vector<std::string>*>(data)->emplace_back(name);
          return 0;
        },
        &objects_);
  }

  // As many as the input describes.
  void run() {
    for (int i = 0; i < 8 && !bytes_.empty(); ++i) edit();
  }

 private:
  void edit() {
    const std::string object = chosen(objects_);
    switch (bytes_.byte() % 6) {
      case 0:
      case 1:
        return replace_attribute(object);
      case 2:
      case 3:
        return replace_dataset(object);
      case 4:
        H5Ldelete(file_, object.c_str(), H5P_DEFAULT);
        return;
      default:
        replace_by_link(object);
    }
  }

  std::string chosen(const std::vector<std::string>& names) {
    return names.empty() ? "." : names[bytes_.byte() % names.size()];
  }

  void replace_attribute(const std::string& object) {
    const hid_t opened = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
    if (opened < 0) return;
    std::vector<std::string> names;
    H5Aiterate2(
        opened, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
          static_cast<std::vector<std::string>*>(data)->emplace_back(name);
          return 0;
        },
        &names);
    const std::string name = chosen(names);
    H5Adelete(opened, name.c_str());
    const hid_t type = some_type(), space = some_space();
    const hid_t made = H5Acreate2(opened, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made >= 0) {
      write_something(made, type, space, [](hid_t to, hid_t as, const void* values) { H5Awrite(to, as, values); });
      H5Aclose(made);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Oclose(opened);
  }

  void replace_dataset(const std::string& object) {
    H5Ldelete(file_, object.c_str(), H5P_DEFAULT);
    const hid_t type = some_type(), space = some_space(), creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::uint8_t storage = bytes_.byte();
    if (storage % 3 == 1) {
      std::array<hsize_t, 33> sizes{};
      const int rank = H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
      if (rank > 0) H5Pset_chunk(creation, rank, sizes.data());
      if (storage % 2) H5Pset_deflate(creation, 1);
      if (storage % 5 == 0) H5Pset_fletcher32(creation);
      if (storage % 7 == 0) H5Pset_nbit(creation);
    }
    if (storage == 255) H5Pset_external(creation, "/dev/zero", 0, H5F_UNLIMITED);
    const hid_t made = H5Dcreate2(file_, object.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (made >= 0) {
      write_something(made, type, space, [](hid_t to, hid_t as, const void* values) {
        H5Dwrite(to, as, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
      });
      H5Dclose(made);
    }
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
  }

  void replace_by_link(const std::string& object) {
    H5Ldelete(file_, object.c_str(), H5P_DEFAULT);
    const std::string target = "/" + chosen(objects_);
    switch (bytes_.byte() % 3) {
      case 0:
        H5Lcreate_soft(target.c_str(), file_, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        return;
      case 1:
        H5Lcreate_external("/etc/passwd", target.c_str(), file_, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        return;
      default:
        H5Lcreate_hard(file_, target.c_str(), file_, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
  }

  hid_t some_type() {
    const std::uint8_t kind = bytes_.byte();
    const auto text = [&](std::size_t size) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, size);
      return type;
    };
    switch (kind % 12) {
      case 0:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
      case 1:
        return H5Tcopy(H5T_NATIVE_UINT64);
      case 2:
        return H5Tcopy(H5T_IEEE_F32BE);
      case 3:
        return text(H5T_VARIABLE);
      case 4:
        return text(1u + bytes_.byte());
      case 5:
        return H5Tvlen_create(H5T_NATIVE_DOUBLE);
      case 6:
        return H5Tcopy(H5T_STD_REF_OBJ);
      case 7: {
        const hsize_t sizes[]{1u + bytes_.byte()};
        return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, sizes);
      }
      case 8:
        return H5Tcreate(H5T_OPAQUE, 1u + bytes_.byte());
      case 9: {
        const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(type, kind > 128 ? "i" : "time", 8, kind > 64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64);
        return type;
      }
      case 10:
        return H5Tcopy(H5T_NATIVE_LDOUBLE);
      default:
        return H5Tcopy(H5T_STD_I8LE);
    }
  }

  hid_t some_space() {
    const std::uint8_t kind = bytes_.byte();
    if (kind == 0) return H5Screate(H5S_SCALAR);
    if (kind == 1) return H5Screate(H5S_NULL);
    const int rank = kind < 128 ? 1 + kind % 4 : 1 + kind % 32;
    std::array<hsize_t, 32> sizes;
    sizes.fill(1);
    for (int d = 0; d < rank && d < 4; ++d) {
      const std::uint8_t size = bytes_.byte();
      sizes[static_cast<std::size_t>(d)] = size < 200 ? size : hsize_t{1} << (size - 200u);
    }
    return H5Screate_simple(rank, sizes.data(), nullptr);
  }

  // Where there is little of it, and where it is not of pointers.
  template <class Write>
  static void write_something(hid_t to, hid_t type, hid_t space, const Write& write) {
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const std::size_t size = H5Tget_size(type);
    if (points <= 0 || points > 10'000 || size > 300) return;
    if (H5Tis_variable_str(type) > 0 || H5Tget_class(type) == H5T_VLEN || H5Tget_class(type) == H5T_REFERENCE) return;
    const std::vector<char> values(static_cast<std::size_t>(points) * size, '1');
    write(to, type, values.data());
  }

  hid_t file_;
  FuzzBytes& bytes_;
  std::vector<std::string> objects_;
};

// A copy of a good file, changed as the input describes.
inline std::filesystem::path edited_copy(const FuzzFolder& folder, const std::string& whole, const std::uint8_t* data,
                                         std::size_t size) {
  const auto path = folder.write("edited.h5", whole);
  const hdf5::Quiet quiet;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  FuzzBytes input(data, size);
  Hdf5Edits(file, input).run();
  H5Fclose(file);
  return path;
}

}  // namespace davit::test
