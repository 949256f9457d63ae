#include "davit/io/read_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "davit/test/temp_folder.hpp"

namespace davit::io {
namespace {

std::string refusal(const std::filesystem::path& path, std::uintmax_t most_bytes = 1000) {
  std::string read, checked;
  try {
    read_file(path, most_bytes);
  } catch (const FileError& error) {
    EXPECT_FALSE(error.remedy.empty());
    read = error.message;
  }
  try {
    check_file(path, most_bytes);
  } catch (const FileError& error) {
    checked = error.message;
  }
  EXPECT_EQ(read, checked);
  return read;
}

TEST(ReadFile, GivesAllBytes) {
  const test::TempFolder folder;
  for (const std::string& text : {std::string(), std::string("a\0b\n", 4), std::string(200'000, 'x')}) {
    const auto path = folder.write("file", text);
    EXPECT_EQ(read_file(path, text.size()), text);
    EXPECT_EQ(check_file(path, text.size()), text.size());
  }
}

TEST(ReadFile, OpensOnlyRegularFilesOfSaneSize) {
  const test::TempFolder folder;
  EXPECT_EQ(refusal(folder / "absent"), "there is no such file");
  EXPECT_EQ(refusal(folder.path()), "this is a directory");
  EXPECT_EQ(refusal("/dev/zero"), "this is not a regular file");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder / "pipe"), "this is not a regular file") << "a pipe without writer must not be waited for";
  EXPECT_EQ(refusal(folder.write("large", std::string(1001, 'x'))), "the file is larger than 0 MiB");
}

// Such files say that they have no bytes.
TEST(ReadFile, TakesNoMoreThanTheLimitWhateverTheFileSays) {
  EXPECT_FALSE(read_file("/proc/self/status", 1'000'000).empty());
  EXPECT_THROW(read_file("/proc/self/status", 10), FileError);
}

}  // namespace
}  // namespace davit::io
