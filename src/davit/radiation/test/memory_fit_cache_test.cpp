// A fit that is kept comes back with the same bits, and is not trusted where it is not whole.
#include "davit/radiation/memory_fit_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "davit/io/content_cache.hpp"
#include "davit/radiation/test/memory_support.hpp"

namespace davit::radiation {
namespace {

namespace fs = std::filesystem;
using namespace test;
using namespace hydro::test;

class KeptMemory : public ::testing::Test {
 protected:
  KeptMemory() {
    if (const char* old = std::getenv("DAVIT_CACHE")) before_ = old;
    std::string name = (fs::temp_directory_path() / "davit_memory_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder = name;
    setenv("DAVIT_CACHE", folder.c_str(), 1);
  }
  ~KeptMemory() override {
    if (before_)
      setenv("DAVIT_CACHE", before_->c_str(), 1);
    else
      unsetenv("DAVIT_CACHE");
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder / "memory"))
      if (entry.path().extension() == ".fit") found.push_back(entry.path());
    return found;
  }
  static void expect_same(const MemoryFit& a, const MemoryFit& b) {
    ASSERT_EQ(a.model.groups.size(), b.model.groups.size());
    for (size_t g = 0; g < a.model.groups.size(); ++g) {
      EXPECT_EQ(a.model.groups[g].motions, b.model.groups[g].motions);
      EXPECT_EQ(a.model.groups[g].poles, b.model.groups[g].poles);
      EXPECT_EQ(a.model.groups[g].residues, b.model.groups[g].residues);
    }
    EXPECT_EQ(a.model.direct, b.model.direct);
    EXPECT_EQ(a.infinite, b.infinite);
    EXPECT_EQ(a.poles, b.poles);
    EXPECT_EQ(a.kernel_error, b.kernel_error);
    EXPECT_EQ(a.damping_error, b.damping_error);
    EXPECT_EQ(a.added_mass_error, b.added_mass_error);
    EXPECT_EQ(a.passivity_change, b.passivity_change);
    EXPECT_EQ(a.direct_share, b.direct_share);
    EXPECT_EQ(a.notes, b.notes);
  }

  fs::path folder;
  hydro::Database database = database_of(known_memory(), 3, 0.1);

 private:
  std::optional<std::string> before_;
};

TEST_F(KeptMemory, ComesBackWithTheSameBits) {
  const MemoryFit fresh = fit_memory(database, 0, 0.2);
  EXPECT_FALSE(fresh.notes.empty());
  expect_same(kept_memory_fit(database, 0, 0.2), fresh);
  ASSERT_EQ(files().size(), 1u);
  expect_same(kept_memory_fit(database, 0, 0.2), fresh);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(KeptMemory, IsKeptByAllThatItIsMadeOf) {
  kept_memory_fit(database, 0, 0.2);
  hydro::Database other = database;
  other.damping[7](2, 2) *= 1 + 1e-12;
  kept_memory_fit(other, 0, 0.2);
  EXPECT_EQ(files().size(), 2u);
  other = database;
  other.added_mass[7](0, 0) *= 1 + 1e-12;
  kept_memory_fit(other, 0, 0.2);
  EXPECT_EQ(files().size(), 3u);
  kept_memory_fit(database, 0, 0.3);
  EXPECT_EQ(files().size(), 4u);
}

// What is in the file is what is taken: that of another database, put in its place.
TEST_F(KeptMemory, IsReadAndNotFittedAgain) {
  kept_memory_fit(database, 0, 0.2);
  const fs::path file = files().at(0);
  hydro::Database other = database;
  for (MatX& B : other.damping) B *= 2;
  const MemoryFit fit = kept_memory_fit(other, 0, 0.2);
  for (const fs::path& found : files())
    if (found != file) fs::rename(found, file);
  expect_same(kept_memory_fit(database, 0, 0.2), fit);
}

TEST_F(KeptMemory, WhatIsNotWholeIsFittedAgain) {
  const MemoryFit fresh = kept_memory_fit(database, 0, 0.2);
  const fs::path file = files().at(0);
  const std::uintmax_t size = fs::file_size(file);
  for (const auto part : {size - 1, size / 2, std::uintmax_t{3}, std::uintmax_t{0}}) {
    fs::resize_file(file, part);
    expect_same(kept_memory_fit(database, 0, 0.2), fresh);
    EXPECT_EQ(fs::file_size(file), size);
  }
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(100).put('x');
  expect_same(kept_memory_fit(database, 0, 0.2), fresh);
}

// The name of a file is a hash, which somebody could make to fit.
TEST_F(KeptMemory, AFileOfOtherContentIsNotTaken) {
  const MemoryFit fresh = kept_memory_fit(database, 0, 0.2);
  hydro::Database other = database;
  for (MatX& B : other.damping) B *= 2;
  const fs::path file = files().at(0);
  kept_memory_fit(other, 0, 0.2);
  for (const fs::path& found : files())
    if (found != file)
      for (const char* ending : {"", ".content"}) fs::rename(found.string() + ending, file.string() + ending);
  expect_same(kept_memory_fit(database, 0, 0.2), fresh);
}

// As somebody could prepare it in a folder that is everybody's.
TEST_F(KeptMemory, AFolderThatOthersMayWriteIntoIsNotUsed) {
  fs::permissions(folder, fs::perms::others_write, fs::perm_options::add);
  kept_memory_fit(database, 0, 0.2);
  EXPECT_FALSE(fs::exists(folder / "memory"));
  setenv("DAVIT_CACHE", (folder / "new").c_str(), 1);
  kept_memory_fit(database, 0, 0.2);
  EXPECT_TRUE(fs::exists(folder / "new/memory"));
  EXPECT_EQ(fs::status(folder / "new").permissions(), fs::perms::owner_all);
}

TEST_F(KeptMemory, WithoutAHomeNothingIsKept) {
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  const std::string xdg = std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "";
  for (const char* name : {"DAVIT_CACHE", "HOME", "XDG_CACHE_HOME"}) unsetenv(name);
  EXPECT_FALSE(io::CacheEntry("memory", "a", ".fit").find());
  io::CacheEntry("memory", "a", ".fit").keep([](const fs::path&) { ADD_FAILURE() << "there is no place for it"; });
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  io::CacheEntry("memory", "a", ".fit").keep([](const fs::path& file) { std::ofstream(file) << "kept"; });
  EXPECT_TRUE(io::CacheEntry("memory", "a", ".fit").find());
  EXPECT_EQ(fs::status(folder / "davit").permissions(), fs::perms::owner_all);
  unsetenv("XDG_CACHE_HOME");
  if (!xdg.empty()) setenv("XDG_CACHE_HOME", xdg.c_str(), 1);
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

TEST_F(KeptMemory, ACacheThatCannotBeWrittenIsNoMistake) {
  setenv("DAVIT_CACHE", "/dev/null", 1);
  expect_same(kept_memory_fit(database, 0, 0.2), fit_memory(database, 0, 0.2));
}

}  // namespace
}  // namespace davit::radiation
