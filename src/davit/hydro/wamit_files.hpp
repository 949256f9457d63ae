// The numeric files of WAMIT: STEM.1 (added mass and damping), .3 or .2 (excitation by diffraction or by Haskind's
// relation), .3fk (Froude-Krylov), .hst (restoring), .8 or .9 (mean drift), and beside them the inputs STEM.gdf, .pot,
// .frc and .cfg, which say what the numbers were divided by. The formats of versions 5 to 7.
#pragma once

#include <array>
#include <filesystem>

#include "davit/hydro/database.hpp"
#include "davit/hydro/read_options.hpp"
#include "davit/hydro/text_file.hpp"

namespace davit::hydro {

// The endings that are looked for.
inline constexpr std::array wamit_endings{".1", ".2", ".3", ".3fk", ".hst", ".8", ".9", ".gdf", ".pot", ".frc", ".cfg"};

Database read_wamit(const std::filesystem::path& stem, const ReadOptions& options = {});
// The same of texts at hand, by ending; `stem` is for messages.
Database parse_wamit(const std::string& stem, const Texts& files, const ReadOptions& options = {});

// STEM.1, .2, .3, .hst and .8 as far as the database has them, and STEM.pot, .frc and .gdf (without panels), which
// carry depth, reference points, density, mass and gravity.
void write_wamit(const Database& database, const std::filesystem::path& stem);

}  // namespace davit::hydro
