// Added mass and damping of a floating hemisphere in deep water, by the series of Hulme ("The wave forces acting on a
// floating hemisphere undergoing forced periodic oscillations", J. Fluid Mech. 121 (1982) 443–463): a source (heave) or
// horizontal dipole (surge) at the centre that makes the waves, and multipoles that make none,
//
//   P₂ₙ/r²ⁿ⁺¹ + (K/2n) P₂ₙ₋₁/r²ⁿ   and   cos φ [P¹₂ₙ₊₁/r²ⁿ⁺² + (K/2n) P¹₂ₙ/r²ⁿ⁺¹],
//
// with coefficients from the normal velocity on the sphere. There they are found by least squares at many latitudes.
#pragma once

namespace davit::verify {

// In parts of the displaced mass ⅔πρa³ (added mass) and of that times ω (damping), at the wave number Ka.
struct HemisphereCoefficients {
  double added_mass, damping;
};
HemisphereCoefficients hemisphere_heave(double ka);
HemisphereCoefficients hemisphere_surge(double ka);

}  // namespace davit::verify
