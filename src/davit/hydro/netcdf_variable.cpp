#include "davit/hydro/netcdf_variable.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <stdexcept>

#include "davit/hydro/hydro_error.hpp"

namespace davit::hydro {
namespace {

constexpr size_t most_netcdf_values = 200'000'000;

}  // namespace

double NetcdfVariable::at(const std::map<std::string, size_t>& place) const {
  size_t offset = 0;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    const auto found = place.find(dimensions[d]);
    if (found == place.end() && sizes[d] != 1)
      throw std::out_of_range(fmt::format("there are several values of '{}'", dimensions[d]));
    const size_t index = found == place.end() ? 0 : found->second;
    if (index >= sizes[d]) throw std::out_of_range(fmt::format("dimension '{}' is too short", dimensions[d]));
    offset = offset * sizes[d] + index;
  }
  return values.at(offset);
}

NetcdfFile::NetcdfFile(const std::filesystem::path& path) : path_(path.string()) {
  check(nc_open(path_.c_str(), NC_NOWRITE, &id_), "opening the file");
}

NetcdfFile::~NetcdfFile() {
  if (id_ >= 0) nc_close(id_);
}

void NetcdfFile::fail(const std::string& message, const std::string& remedy) const {
  throw DatabaseError(path_, message, remedy);
}

void NetcdfFile::check(int status, const std::string& doing) const {
  if (status != NC_NOERR)
    fail(fmt::format("{}: {}", doing, nc_strerror(status)), "is it a complete netCDF file? Write it again");
}

bool NetcdfFile::shape(const std::string& name, int& id, int& type, std::vector<std::string>& dimensions,
                       std::vector<size_t>& sizes) const {
  if (nc_inq_varid(id_, name.c_str(), &id) != NC_NOERR) return false;
  int count = 0;
  check(nc_inq_varndims(id_, id, &count), "asking for " + name);
  check(nc_inq_vartype(id_, id, &type), "asking for " + name);
  std::vector<int> ids(static_cast<size_t>(count));
  check(nc_inq_vardimid(id_, id, ids.data()), "asking for " + name);
  size_t values = 1;
  for (const int dimension : ids) {
    char text[NC_MAX_NAME + 1] = {};
    size_t length = 0;
    check(nc_inq_dim(id_, dimension, text, &length), "asking for a dimension of " + name);
    dimensions.emplace_back(text);
    sizes.push_back(length);
    if (length > most_netcdf_values / std::max<size_t>(values, 1)) fail(name + " is too large", "reduce the dataset");
    values *= length;
  }
  return true;
}

std::optional<NetcdfVariable> NetcdfFile::find(const std::string& name) const {
  NetcdfVariable variable;
  int id = 0, type = 0;
  if (!shape(name, id, type, variable.dimensions, variable.sizes)) return std::nullopt;
  if (type == NC_CHAR || type == NC_STRING || type > NC_STRING)
    fail(fmt::format("variable '{}' is not of numbers", name),
         "separate complex values into real and imaginary parts before export");
  size_t count = 1;
  for (const size_t size : variable.sizes) count *= size;
  variable.values.resize(count);
  if (count > 0) check(nc_get_var_double(id_, id, variable.values.data()), "reading " + name);
  return variable;
}

NetcdfVariable NetcdfFile::get(const std::string& name) const {
  auto variable = find(name);
  if (!variable) fail(fmt::format("there is no variable '{}'", name), "export the complete dataset of Capytaine");
  return *variable;
}

std::optional<std::vector<std::string>> NetcdfFile::texts(const std::string& name) const {
  int id = 0, type = 0;
  std::vector<std::string> dimensions, list;
  std::vector<size_t> sizes;
  if (!shape(name, id, type, dimensions, sizes)) return std::nullopt;
  if (type == NC_STRING) {
    size_t count = 1;
    for (const size_t size : sizes) count *= size;
    std::vector<char*> pointers(count, nullptr);
    check(nc_get_var_string(id_, id, pointers.data()), "reading " + name);
    for (const char* text : pointers) list.emplace_back(text ? text : "");
    nc_free_string(count, pointers.data());
    return list;
  }
  if (type != NC_CHAR || sizes.empty() || sizes.size() > 2) return std::nullopt;
  const size_t width = sizes.back(), rows = sizes.size() == 2 ? sizes[0] : 1;
  std::string characters(width * rows, '\0');
  check(nc_get_var_text(id_, id, characters.data()), "reading " + name);
  for (size_t i = 0; i < rows; ++i) {
    std::string text = characters.substr(i * width, width);
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    while (!text.empty() && text.back() == ' ') text.pop_back();
    list.push_back(text);
  }
  return list;
}

}  // namespace davit::hydro
