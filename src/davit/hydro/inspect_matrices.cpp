// Inspection of a database: symmetry and sign of the matrices, restoring, and balance of weight and buoyancy.
#include <algorithm>
#include <numbers>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/inspect_parts.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit::hydro {
namespace {

MatX scaled(const MatX& m, const VecX& size) {
  const VecX root = size.cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
  return root.asDiagonal() * m * root.asDiagonal();
}

double least_eigenvalue(const MatX& m) { return symmetric_eigenvalues(MatX(0.5 * (m + m.transpose()))).minCoeff(); }

void symmetry(const Database& d, const char* what, const std::vector<MatX>& matrices, Findings& findings) {
  const Scales s = scales(d, matrices);
  Measure apart(0.01, 0.05, 0.25);
  for (size_t f = 0; f < matrices.size(); ++f) {
    const MatX m = scaled(matrices[f], s.size);
    for (int i = 0; i < m.rows(); ++i)
      for (int j = 0; j < i; ++j) apart.see(std::abs(m(i, j) - m(j, i)), i, d.frequencies[f], j);
  }
  Finding finding{apart.severity(), fmt::format("symmetry of {}", what),
                  "entries mirrored at the diagonal differ, of the size of their modes, by " + apart.text(d), "", ""};
  if (finding.severity != Severity::ok) {
    finding.effect = "a run uses the matrix as it is: couplings that differ can add or remove energy slowly";
    finding.remedy = "refine the panels, or leave out the frequencies named; after a conversion, check signs and rows";
  }
  findings.push_back(finding);
}

void sign_of_damping(const Database& d, Findings& findings) {
  const Scales s = scales(d, d.damping);
  Measure diagonal(1e-3, 0.01, 0.05);
  double least = 0, where = 0;
  for (size_t f = 0; f < d.damping.size(); ++f) {
    const MatX B = scaled(d.damping[f], s.size);
    for (int i = 0; i < B.rows(); ++i) diagonal.see(-B(i, i), i, d.frequencies[f]);
    const double eigenvalue = least_eigenvalue(B);
    if (eigenvalue < least) {
      least = eigenvalue;
      where = d.frequencies[f];
    }
  }
  Measure mixed(0.01, 0.05, 0.2);
  mixed.see(-least, 0, where);
  Finding finding{std::max(diagonal.severity(), mixed.severity()), "damping takes energy", "", "", ""};
  finding.measured = diagonal.severity() == Severity::ok
                         ? "no diagonal entry is negative"
                         : "negative, against the largest of the mode, by " + diagonal.text(d);
  if (mixed.severity() != Severity::ok)
    finding.measured +=
        fmt::format("; the smallest eigenvalue of the scaled matrix is {:.2g} at {:.3g} rad/s", least, where);
  if (finding.severity != Severity::ok) {
    finding.effect =
        "at these frequencies the water drives the motion instead of damping it: small oscillations may "
        "grow or never die out";
    finding.remedy = "refine the panels, remove irregular frequencies, or leave out the frequencies named";
  }
  findings.push_back(finding);
}

void restoring(const Database& d, Findings& findings) {
  for (const FloatingBody& body : d.bodies) {
    const std::string subject = "restoring of " + body.name;
    if (body.restoring.isZero(0)) {
      findings.push_back({Severity::error, subject, "there is none",
                          "the body would drift off in heave, roll and pitch",
                          "add the restoring matrix to the source (.hst, KH.dat, hydrostatic_stiffness)"});
      continue;
    }
    // About the centre of gravity, where a diagonal entry is what the mode feels.
    const Vec3 centre = body.loading ? body.loading->centre : body.reference;
    const Mat6 C = moved_restoring(body.restoring, centre - body.reference);
    Finding finding{Severity::ok, subject, "", "", ""};
    const double weight = body.loading ? body.loading->mass * d.gravity : 0;
    finding.measured =
        weight > 0 ? fmt::format("heave {:.4g} N/m, GM {:.3f} m across and {:.2f} m along", C(2, 2), C(3, 3) / weight,
                                 C(4, 4) / weight)
                   : fmt::format("heave {:.4g} N/m, roll {:.4g} N m, pitch {:.4g} N m", C(2, 2), C(3, 3), C(4, 4));
    const char* negative = C(2, 2) <= 0 ? "heave" : C(3, 3) <= 0 ? "roll" : C(4, 4) <= 0 ? "pitch" : nullptr;
    const double asymmetry = (C.block<3, 3>(2, 2) - C.block<3, 3>(2, 2).transpose()).cwiseAbs().maxCoeff() /
                             C.block<3, 3>(2, 2).cwiseAbs().maxCoeff();
    if (negative) {
      finding.severity = Severity::error;
      finding.measured += fmt::format("; not positive in {}", negative);
      finding.effect = "the body capsizes or sinks at once";
      finding.remedy = "check the centre of gravity and the reference point of the source";
    } else if (asymmetry > 1e-3) {
      finding.severity = Severity::warning;
      finding.measured += fmt::format("; not symmetric: {:.2g} % of the largest entry", 100 * asymmetry);
      finding.effect = "a body at rest in a position that is none of equilibrium, or an error in the source";
      finding.remedy = "check that weight and buoyancy balance in the source";
    } else if (!body.loading) {
      finding.severity = Severity::note;
      finding.measured += "; which weight is part of it is not known";
      finding.effect = "a run with another centre of gravity cannot correct the restoring moments for it";
      finding.remedy = "give mass and centre of gravity with the source";
    }
    findings.push_back(finding);
  }
}

void balance(const Database& d, Findings& findings) {
  for (const FloatingBody& body : d.bodies) {
    if (!body.loading || std::isnan(body.volume)) continue;
    const double displaced = d.density * body.volume;
    Measure apart(2e-3, 0.01, 0.1), heel(1e-3, 5e-3, 0.1);
    apart.see(std::abs(body.loading->mass / displaced - 1), 2, 0);
    Finding finding{apart.severity(), "weight and buoyancy of " + body.name,
                    fmt::format("mass {:.5g} t, displaced water {:.5g} t", body.loading->mass / 1e3, displaced / 1e3),
                    "", ""};
    const Vec3 lever = body.loading->centre - body.buoyancy;
    if (lever.allFinite()) {
      const Mat6 C = moved_restoring(body.restoring, body.loading->centre - body.reference);
      const double weight = body.loading->mass * d.gravity;
      heel.see(std::abs(weight * lever.y() / C(3, 3)), 3, 0);
      heel.see(std::abs(weight * lever.x() / C(4, 4)), 4, 0);
      finding.severity = std::max(finding.severity, heel.severity());
      finding.measured +=
          fmt::format("; centres apart by {:.3f} m along and {:.3f} m across: heel or trim of {:.2f}°",
                      std::abs(lever.x()), std::abs(lever.y()), heel.largest() * 180 / std::numbers::pi);
    }
    if (finding.severity != Severity::ok) {
      finding.effect =
          "a run begins with a jolt: the body sinks, rises, heels or trims to another position than the one "
          "that was computed";
      finding.remedy =
          "match mass and centre of gravity to the volume of the mesh, or compute at the floating position";
    }
    findings.push_back(finding);
  }
}

void rotational_inertia(const Database& d, Findings& findings) {
  for (const FloatingBody& body : d.bodies)
    if (body.loading && !has_rotational_inertia(*body.loading))
      findings.push_back({Severity::warning, "inertia of " + body.name,
                          "the source gives a mass and no moments of inertia in roll, pitch and yaw",
                          "no run can be made with it as it is: only added mass would resist turning",
                          "give radii of gyration with the source, or 'gyration' beside the database in a scenario"});
}

void total_mass(const Database& d, Findings& findings) {
  MatX M = MatX::Zero(d.modes(), d.modes());
  for (size_t b = 0; b < d.bodies.size(); ++b) {
    if (!d.bodies[b].loading || d.bodies[b].loading->inertia.isZero(0)) return;
    const auto at = static_cast<Eigen::Index>(6 * b);
    M.block<6, 6>(at, at) = mass_matrix(*d.bodies[b].loading, d.bodies[b].reference);
  }
  const auto positive = [&](const MatX& A) { return least_eigenvalue(scaled(M + A, M.diagonal())) > 0; };
  const Finding mistake{Severity::error, "mass and added mass", "", "the equations of motion have no sensible solution",
                        "check mass matrix and reference points"};
  if (d.added_mass_infinite && !positive(*d.added_mass_infinite)) {
    findings.push_back(mistake);
    findings.back().measured = "together not positive definite at infinite frequency";
    return;
  }
  const auto negative = std::find_if_not(d.added_mass.begin(), d.added_mass.end(), positive);
  if (negative == d.added_mass.end()) {
    findings.push_back({Severity::ok, "mass and added mass", "together positive at every frequency", "", ""});
    return;
  }
  const double w = d.frequencies[static_cast<size_t>(negative - d.added_mass.begin())];
  // Where water between bodies resonates, added mass goes through large negative values, and rightly so: it is the
  // limit of high frequency that is inertia in a run.
  if (d.bodies.size() > 1 && d.added_mass_infinite) {
    findings.push_back(
        {Severity::note, "mass and added mass",
         fmt::format("together not positive definite at {:.3g} rad/s: water between the bodies resonates", w),
         "near that frequency motions are large, and potential flow has them larger than they are",
         "add damping there if motions near that frequency matter"});
    return;
  }
  findings.push_back(mistake);
  findings.back().measured = fmt::format("together not positive definite at {:.3g} rad/s", w);
}

}  // namespace

void inspect_matrices(const Database& database, Findings& findings) {
  symmetry(database, "added mass", database.added_mass, findings);
  symmetry(database, "damping", database.damping, findings);
  sign_of_damping(database, findings);
  restoring(database, findings);
  balance(database, findings);
  rotational_inertia(database, findings);
  total_mass(database, findings);
}

}  // namespace davit::hydro
