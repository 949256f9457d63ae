// The folder of a NEMOH run, version 2 or 3: Nemoh.cal, results/RadiationCoefficients.tec and ExcitationForce.tec (or
// CM.dat, CA.dat and Fe.dat, which have fewer digits), FKForce.tec, mesh/KH.dat and Hydrostatics.dat, with _0, _1, …
// where there are several bodies. Files may also lie together without folders.
#pragma once

#include <filesystem>

#include "davit/hydro/database.hpp"
#include "davit/hydro/text_file.hpp"

namespace davit::hydro {

bool is_nemoh_folder(const std::filesystem::path& folder);
Database read_nemoh(const std::filesystem::path& folder);
// The same of texts at hand, by file name without folders; `folder` is for messages.
Database parse_nemoh(const std::string& folder, const Texts& files);

}  // namespace davit::hydro
