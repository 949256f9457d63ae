// Maps of heights from files: the ASCII grid of geographic programs (Esri), which has a heading of the words ncols,
// nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize and, if need be, nodata_value, and then the heights
// row by row from north to south. Heights are z, up from still water.
#pragma once

#include <filesystem>
#include <istream>

#include "davit/cable/height_map.hpp"

namespace davit::mooring {

// `origin`: where the world's x = y = 0 is in the coordinates of the file. std::runtime_error with file and line.
cable::HeightMap read_height_map(const std::filesystem::path& path, const Vec2& origin);
cable::HeightMap parse_height_map(std::istream& text, const std::string& name, const Vec2& origin);

}  // namespace davit::mooring
