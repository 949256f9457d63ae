// The memory that we fit to the supply vessel of MSS (supply.mat) beside the one that comes with it (supplyABC.mat),
// as K(iω) = B + iω(A − A(∞)). Theirs has the entries (i, j) that a ship with port-starboard symmetry has, but for
// surge–heave and surge–pitch: 14 of them, each identified by itself, C (iω − A)⁻¹ B of order three or four in
// companion form, without a direct part; about the origin of supply.mat, in its axes, z down.
#include <fmt/format.h>
#include <matio.h>

#include <memory>

#include "davit/hydro/modes.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/radiation/memory_fit.hpp"
#include "verify/third_party_data.hpp"
#include "verify/vessels/vessel_cases.hpp"

namespace davit::verify {

namespace {

using Complex = std::complex<double>;

class Identified {
 public:
  explicit Identified(const std::filesystem::path& path) {
    const std::unique_ptr<mat_t, int (*)(mat_t*)> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close);
    const std::unique_ptr<matvar_t, void (*)(matvar_t*)> vessel(file ? Mat_VarRead(file.get(), "vesselABC") : nullptr,
                                                                Mat_VarFree);
    if (!vessel) throw std::runtime_error("no vesselABC in " + path.string());
    const auto matrix = [](const matvar_t* v) -> MatX {
      if (!v || !v->data || v->class_type != MAT_C_DOUBLE) return {};
      return Eigen::Map<MatX>(static_cast<double*>(v->data), static_cast<Eigen::Index>(v->dims[0]),
                              static_cast<Eigen::Index>(v->dims[1]));
    };
    const auto cell = [&](const char* name, int i, int j) {
      return matrix(Mat_VarGetCell(Mat_VarGetStructFieldByName(vessel.get(), name, 0), 6 * j + i));
    };
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        if (cell("Ar", i, j).size() > 1)
          entries_.push_back({i, j, cell("Ar", i, j), cell("Br", i, j), cell("Cr", i, j)});
    infinite = turn_.asDiagonal() * matrix(Mat_VarGetStructFieldByName(vessel.get(), "MA", 0)) * turn_.asDiagonal();
  }
  // The symmetric part: the entries (i, j) and (j, i) have the same poles and nearly the same C.
  MatXc transfer(double w) const {
    MatXc out = MatXc::Zero(6, 6);
    for (const Entry& e : entries_) {
      const MatXc resolvent = Complex(0, w) * MatXc::Identity(e.A.rows(), e.A.rows()) - e.A;
      out(e.i, e.j) = turn_[e.i] * turn_[e.j] * (e.C * inverse(resolvent) * e.B)(0, 0);
    }
    return 0.5 * (out + out.transpose());
  }
  Mat6 infinite;

 private:
  struct Entry {
    int i, j;
    MatX A, B, C;
  };
  std::vector<Entry> entries_;
  Vec6 turn_ = (Vec6() << 1, -1, -1, 1, -1, -1).finished();  // to z up, y to port
};

}  // namespace

void memory_beside_mss(Checker& check) {
  const auto folder = third_party_data("mss-supply");
  if (!folder) return;
  const Identified theirs(*folder / "supplyABC.mat");
  const hydro::Database db = hydro::open_database(*folder / "supply.mat");
  const radiation::MemoryFit ours = radiation::fit_memory(db, 0);
  Vec6 largest = Vec6::Zero();
  for (const MatX& B : db.damping) largest = largest.cwiseMax(B.diagonal());
  for (int i = 0; i < 6; ++i) {
    // Of the largest damping: distances from the data, and from each other as K(iω). The bound of the latter is how far
    // theirs is from the data with its added mass, which no causal memory follows: in the longest wave and in heave and
    // pitch of the shortest it contradicts damping.
    double ours_far = 0, theirs_far = 0, apart = 0, scatter = 0;
    for (size_t f = 0; f < db.frequencies.size(); ++f) {
      const double w = db.frequencies[f], B = db.damping[f](i, i);
      const Complex a = ours.model.transfer(w)(i, i), b = theirs.transfer(w)(i, i);
      ours_far = std::max(ours_far, std::abs(a.real() - B) / largest[i]);
      theirs_far = std::max(theirs_far, std::abs(b.real() - B) / largest[i]);
      apart = std::max(apart, std::abs(a - b) / largest[i]);
      const Complex data(B, w * (db.added_mass[f](i, i) - theirs.infinite(i, i)));
      scatter = std::max(scatter, std::abs(b - data) / largest[i]);
    }
    const std::string name = "supply vessel of MSS, 36 frequencies", motion(hydro::mode_names[static_cast<size_t>(i)]);
    const std::string source = "oracle: the identified memory of MSS, supplyABC.mat";
    check.at_most(name, "damping in " + motion + " by our memory, distance from the data, of the largest", "",
                  source + ", its distance", ours_far, theirs_far);
    check.at_most(name, "K(iω) in " + motion + " by both memories, apart, of the largest damping", "",
                  source + ", its distance from the data", apart, scatter);
    check.relative(name, "limit of added mass in " + motion, "", rounded(theirs.infinite(i, i)), source,
                   ours.infinite(i, i), 0.05);
  }
}

}  // namespace davit::verify
