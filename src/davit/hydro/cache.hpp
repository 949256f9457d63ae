// What took long to compute is kept in files by content: the same content finds the same file. In $DAVIT_CACHE, or else
// in davit/ of the user's cache folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace davit::hydro {

// FNV-1a, from a starting value.
std::uint64_t content_hash(std::string_view content, std::uint64_t start = 14695981039346656037u);

// Where the result for some content is or would be: `kind` is a folder, `ending` that of the file's name.
std::filesystem::path cache_file(std::string_view kind, std::string_view content, std::string_view ending);

// `write` makes the file it is given, beside the wanted one, which is then renamed: another run never sees half a file.
// A cache that cannot be written is no mistake: the next run computes again.
void write_cache(const std::filesystem::path& file, const std::function<void(const std::filesystem::path&)>& write);

}  // namespace davit::hydro
