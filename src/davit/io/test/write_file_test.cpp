#include "davit/io/write_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "davit/io/csv_cell.hpp"
#include "davit/io/printable.hpp"
#include "davit/io/read_file.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::io {
namespace {

namespace fs = std::filesystem;

std::string refused_writing(const fs::path& place, const std::string& text = "new") {
  try {
    write_file(place, text);
  } catch (const FileError& error) {
    EXPECT_FALSE(error.remedy.empty());
    return error.message;
  }
  return "";
}

size_t files_in(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(WriteFile, ReplacesAFileAndLeavesNothingElse) {
  const test::TempFolder folder;
  for (const std::string text : {"first", "second, longer"}) {
    write_file(folder / "a", text);
    EXPECT_EQ(read_file(folder / "a", 100), text);
  }
  EXPECT_EQ(files_in(folder.path()), 1u);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(status.st_mode & 0777u, 0666u & ~mask);
}

TEST(WriteFile, NeverThroughALink) {
  const test::TempFolder folder;
  const auto precious = folder.write("precious", "old");
  fs::create_symlink(precious, folder / "link");
  fs::create_symlink(folder / "nowhere", folder / "dangling");
  EXPECT_EQ(refused_writing(folder / "link"), "");
  EXPECT_EQ(refused_writing(folder / "dangling"), "");
  EXPECT_EQ(read_file(precious, 100), "old");
  EXPECT_EQ(read_file(folder / "link", 100), "new");
  EXPECT_FALSE(fs::is_symlink(folder / "link"));
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
}

TEST(WriteFile, SaysWhyNot) {
  const test::TempFolder folder;
  EXPECT_EQ(refused_writing(folder / "absent/a"), "cannot be written (No such file or directory)");
  EXPECT_EQ(refused_writing(folder.path()), "this is a directory");
  EXPECT_EQ(refused_writing("/dev/full", std::string(1'000'000, 'x')), "cannot be written (No space left on device)");
  EXPECT_EQ(refused_writing("/dev/full"), "cannot be written (No space left on device)");
  EXPECT_EQ(refused_writing("/dev/null"), "");
  fs::create_symlink("/dev/null", folder / "null");
  EXPECT_EQ(refused_writing(folder / "null"), "this is a link to something that is no file");
}

TEST(WriteFile, TheOldFileStaysWhenThereIsNoRoom) {
  const test::TempFolder folder;
  const auto file = folder.write("a", "old");
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{}, small{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  small = limit;
  small.rlim_cur = 100'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string why = refused_writing(file, std::string(200'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(why, "cannot be written (File too large)");
  EXPECT_EQ(read_file(file, 100), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(WriteFile, APlaceIsTriedWithoutATrace) {
  test::TempFolder folder;
  check_writable(folder / "new.txt");
  EXPECT_EQ(files_in(folder.path()), 0u);
  EXPECT_THROW(check_writable(folder / "absent/new.txt"), FileError);
  EXPECT_THROW(check_writable(folder.path()), FileError);
}

TEST(CsvCell, IsQuotedWhereItMustBe) {
  EXPECT_EQ(csv_cell("boom.angle [rad]"), "boom.angle [rad]");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_cell("=1+1"), "\"'=1+1\"");
  EXPECT_EQ(csv_cell("+a,b"), "\"'+a,b\"");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "\"'@SUM(A1)\"");
  EXPECT_EQ(csv_cell("-2"), "\"'-2\"");
  EXPECT_EQ(csv_cell("\t=1"), "\"'\t=1\"");
}

TEST(Printable, ControlCharactersShow) {
  EXPECT_EQ(printable("Hs = 4 m, \xC3\xA9t\xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x9A\xA2\n\tnext"),
            "Hs = 4 m, \xC3\xA9t\xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x9A\xA2\n\tnext");
  EXPECT_EQ(printable("a\x1b[2Jb\r\a\x7f"), "a\\x1b[2Jb\\x0d\\x07\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\xc2\\x9b31m")
      << "a control character of eight bits";
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "abc"),
            "\\xe2\\x80\\xaeabc")
      << "right to left";
  EXPECT_EQ(printable("\xff\xC3"), "\\xff\\xc3");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

}  // namespace
}  // namespace davit::io
