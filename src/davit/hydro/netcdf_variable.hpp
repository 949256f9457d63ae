// A thin layer over netCDF's C interface, private to this module: variables whole, found by name, with the names of
// their dimensions, because programs write them in any order.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace davit::hydro {

struct NetcdfVariable {
  std::vector<std::string> dimensions;
  std::vector<size_t> sizes;
  std::vector<double> values;  // row-major

  // The value at the given place of each named dimension; others must have size 1. A dimension that the variable does
  // not have is passed over.
  double at(const std::map<std::string, size_t>& place) const;
};

class NetcdfFile {
 public:
  // All throw a DatabaseError.
  explicit NetcdfFile(const std::filesystem::path& path);
  ~NetcdfFile();
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  std::optional<NetcdfVariable> find(const std::string& name) const;
  NetcdfVariable get(const std::string& name) const;
  // A list of names: strings, or rows of characters filled up with blanks.
  std::optional<std::vector<std::string>> texts(const std::string& name) const;
  [[noreturn]] void fail(const std::string& message, const std::string& remedy) const;

 private:
  void check(int status, const std::string& doing) const;
  bool shape(const std::string& name, int& id, int& type, std::vector<std::string>& dimensions,
             std::vector<size_t>& sizes) const;

  std::string path_;
  int id_ = -1;
};

}  // namespace davit::hydro
