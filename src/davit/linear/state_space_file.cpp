#include "davit/linear/state_space_file.hpp"

#include <fmt/format.h>
#include <matio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "davit/io/csv_cell.hpp"
#include "davit/io/write_file.hpp"

namespace davit::linear {

namespace {

nlohmann::ordered_json rows_of(const MatX& M) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (Eigen::Index j = 0; j < M.cols(); ++j) row.push_back(M(i, j));
    out.push_back(std::move(row));
  }
  return out;
}

nlohmann::ordered_json list_of(const std::vector<Variable>& variables) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Variable& v : variables) out.push_back({{"name", v.name}, {"unit", v.unit}});
  return out;
}

std::string heading(const Variable& v) { return io::csv_cell(v.unit.empty() ? v.name : v.name + " [" + v.unit + "]"); }

struct MatioCloser {
  void operator()(mat_t* file) const { Mat_Close(file); }
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using MatFile = std::unique_ptr<mat_t, MatioCloser>;
using MatVariable = std::unique_ptr<matvar_t, MatioCloser>;

MatVariable matrix(const std::string& name, const MatXc& values) {
  size_t size[] = {static_cast<size_t>(values.rows()), static_cast<size_t>(values.cols())};
  MatX real = values.real(), imaginary = values.imag();
  if (imaginary.isZero(0))
    return MatVariable(Mat_VarCreate(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, real.data(), 0));
  mat_complex_split_t both{real.data(), imaginary.data()};
  return MatVariable(Mat_VarCreate(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, &both, MAT_F_COMPLEX));
}

// A column of texts, as MATLAB has them in braces.
MatVariable cells(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<matvar_t*> elements;
  for (std::string text : texts) {
    size_t size[] = {text.empty() ? 0u : 1u, text.size()};
    elements.push_back(Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, size, text.data(), 0));
  }
  size_t size[] = {texts.size(), 1};
  return MatVariable(Mat_VarCreate(name.c_str(), MAT_C_CELL, MAT_T_CELL, 2, size, elements.data(), 0));
}

std::vector<MatVariable> contents(const StateSpace& s, const std::vector<NamedMatrix>& further) {
  std::vector<MatVariable> out;
  for (const auto& [name, M] : {std::pair{"A", &s.A}, std::pair{"B", &s.B}, std::pair{"C", &s.C}, std::pair{"D", &s.D}})
    out.push_back(matrix(name, M->cast<Complex>()));
  for (const auto& [kind, variables] :
       {std::pair{"State", &s.states}, std::pair{"Input", &s.inputs}, std::pair{"Output", &s.outputs}}) {
    std::vector<std::string> names, units;
    for (const Variable& v : *variables) {
      names.push_back(v.name);
      units.push_back(v.unit);
    }
    out.push_back(cells(std::string(kind) + "Name", names));
    out.push_back(cells(std::string(kind) + "Unit", units));
  }
  for (const NamedMatrix& m : further) out.push_back(matrix(m.name, m.values));
  return out;
}

// matio writes to files alone, and takes a full disk for a good one.
class FileInMemory {
 public:
  FileInMemory() : descriptor_(::memfd_create("davit", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw io::FileError("there is no memory for the MATLAB file", "close other programs");
  }
  ~FileInMemory() { ::close(descriptor_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
  std::string bytes() const {
    std::string out(static_cast<size_t>(std::max<off_t>(::lseek(descriptor_, 0, SEEK_END), 0)), '\0');
    for (size_t at = 0; at < out.size();) {
      const ssize_t count = ::pread(descriptor_, out.data() + at, out.size() - at, static_cast<off_t>(at));
      if (count <= 0) throw io::FileError("the MATLAB file could not be made", "close other programs");
      at += static_cast<size_t>(count);
    }
    return out;
  }

 private:
  int descriptor_;
};

}  // namespace

nlohmann::ordered_json to_json(const Complex& z) { return {{"re", z.real()}, {"im", z.imag()}}; }

nlohmann::ordered_json to_json(const StateSpace& s) {
  return {{"states", list_of(s.states)},
          {"inputs", list_of(s.inputs)},
          {"outputs", list_of(s.outputs)},
          {"A", rows_of(s.A)},
          {"B", rows_of(s.B)},
          {"C", rows_of(s.C)},
          {"D", rows_of(s.D)}};
}

std::string to_csv(const MatX& M, const std::vector<Variable>& rows, const std::vector<Variable>& columns) {
  std::string out;
  for (const Variable& column : columns) out += "," + heading(column);
  out += "\n";
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    out += heading(rows[static_cast<size_t>(i)]);
    for (Eigen::Index j = 0; j < M.cols(); ++j) out += fmt::format(",{}", M(i, j));
    out += "\n";
  }
  return out;
}

void write_mat(const std::filesystem::path& path, const StateSpace& s, const std::vector<NamedMatrix>& further) {
  const auto fail = [] { throw io::FileError("the MATLAB file could not be made", "close other programs"); };
  const FileInMemory made;
  MatFile file(Mat_CreateVer(made.path().c_str(), "MATLAB 5.0 MAT-file, made by davit linearise", MAT_FT_MAT5));
  if (!file) fail();
  for (const MatVariable& variable : contents(s, further))
    if (!variable || Mat_VarWrite(file.get(), variable.get(), MAT_COMPRESSION_NONE) != 0) fail();
  if (Mat_Close(file.release()) != 0) fail();
  io::write_file(path, made.bytes());
}

}  // namespace davit::linear
