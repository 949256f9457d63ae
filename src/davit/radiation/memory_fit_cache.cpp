#include "davit/radiation/memory_fit_cache.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <stdexcept>

#include "davit/io/content_cache.hpp"
#include "davit/io/read_file.hpp"

namespace davit::radiation {

namespace {

constexpr std::uintmax_t largest_fit = 100'000'000;

// Plain bytes, for one machine.
class ByteWriter {
 public:
  template <class Number>
  void number(const Number& x) {
    bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  template <class List>
  size_t size(const List& list) {
    number(static_cast<std::uint64_t>(list.size()));
    return list.size();
  }
  std::string bytes;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  template <class Number>
  void number(Number& x) {
    if (rest_.size() < sizeof x) throw std::runtime_error("the file ends too soon");
    std::memcpy(&x, rest_.data(), sizeof x);
    rest_.remove_prefix(sizeof x);
  }
  // Makes room for as many as were written.
  template <class List>
  size_t size(List& list) {
    std::uint64_t n = 0;
    number(n);
    if (n > rest_.size()) throw std::runtime_error("the file ends too soon");
    list.resize(n);
    return n;
  }

 private:
  std::string_view rest_;
};

template <class Archive, class Matrix>
void transfer_matrix(Archive& archive, Matrix& m) {
  for (Eigen::Index i = 0; i < m.size(); ++i) archive.number(m.data()[i]);
}

// One description for both ways: `Fit` is a MemoryFit, const where it is written.
template <class Archive, class Fit>
void transfer(Archive& archive, Fit& fit) {
  archive.size(fit.model.groups);
  for (auto& group : fit.model.groups) {
    archive.size(group.motions);
    for (auto& motion : group.motions) archive.number(motion);
    archive.size(group.poles);
    for (auto& pole : group.poles) archive.number(pole);
    archive.size(group.residues);
    const auto n = static_cast<Eigen::Index>(group.motions.size());
    for (auto& residue : group.residues) {
      if constexpr (!std::is_const_v<Fit>) residue.resize(n, n);
      transfer_matrix(archive, residue);
    }
  }
  transfer_matrix(archive, fit.model.direct);
  transfer_matrix(archive, fit.infinite);
  archive.number(fit.poles);
  for (auto* x :
       {&fit.kernel_error, &fit.damping_error, &fit.added_mass_error, &fit.passivity_change, &fit.direct_share})
    archive.number(*x);
  archive.size(fit.notes);
  for (auto& note : fit.notes) {
    archive.size(note);
    for (auto& c : note) archive.number(c);
  }
}

// All that the numbers depend on, the compiler and its instructions among them: results do not depend on which program
// filled the cache.
std::string content(const hydro::Database& database, int body, double tolerance) {
  ByteWriter out;
  out.bytes = fmt::format("{} {} {}\n", fit_version, __VERSION__, Eigen::SimdInstructionSetsInUse());
  out.number(body);
  out.number(tolerance);
  for (const hydro::FloatingBody& b : database.bodies) out.number(b.volume);
  for (const double w : database.frequencies) out.number(w);
  for (const auto* matrices : {&database.added_mass, &database.damping})
    for (const MatX& m : *matrices) transfer_matrix(out, m);
  out.number(database.added_mass_infinite.has_value());
  if (database.added_mass_infinite) transfer_matrix(out, *database.added_mass_infinite);
  return out.bytes;
}

// Nothing where it is not whole; throws a std::runtime_error where it cannot be read.
std::optional<MemoryFit> read(const std::filesystem::path& file) {
  const std::string bytes = io::read_file(file, largest_fit);
  std::uint64_t hash = 0;
  if (bytes.size() < sizeof hash) return std::nullopt;
  const std::string_view body(bytes.data(), bytes.size() - sizeof hash);
  std::memcpy(&hash, body.data() + body.size(), sizeof hash);
  if (hash != io::content_hash(body)) return std::nullopt;
  MemoryFit fit;
  ByteReader reader(body);
  transfer(reader, fit);
  return fit;
}

void write(const MemoryFit& fit, const std::filesystem::path& file) {
  ByteWriter out;
  transfer(out, fit);
  out.number(io::content_hash(out.bytes));
  std::ofstream stream(file, std::ios::binary);
  stream.exceptions(std::ios::failbit | std::ios::badbit);
  stream << out.bytes;
  stream.close();
}

}  // namespace

MemoryFit kept_memory_fit(const hydro::Database& database, int body, double tolerance) {
  const io::CacheEntry entry("memory", content(database, body, tolerance), ".fit");
  if (const auto file = entry.find()) try {
      if (auto kept = read(*file)) return *std::move(kept);
    } catch (const std::runtime_error&) {  // as if it were not there
    }
  const MemoryFit fit = fit_memory(database, body, tolerance);
  entry.keep([&](const std::filesystem::path& beside) { write(fit, beside); });
  return fit;
}

}  // namespace davit::radiation
