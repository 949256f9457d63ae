// Files that are compiled into the program, and the tables among them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace davit::verify {

const std::map<std::string, std::string>& embedded_files();

// A CSV of numbers with a header line.
class NumberTable {
 public:
  explicit NumberTable(const std::string& embedded_name);
  size_t rows() const { return rows_.size(); }
  double at(size_t row, const std::string& column) const;

 private:
  std::map<std::string, size_t> columns_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace davit::verify
