// Reads a table of numbers from a reference file that is compiled in.
#include <sstream>
#include <stdexcept>

#include "verify/embedded.hpp"

namespace davit::verify {

NumberTable::NumberTable(const std::string& embedded_name) {
  std::istringstream in(embedded_files().at(embedded_name));
  std::string line, cell;
  std::getline(in, line);
  std::istringstream header(line);
  while (std::getline(header, cell, ',')) {
    const size_t index = columns_.size();
    columns_[cell] = index;
  }
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
    if (row.size() != columns_.size()) throw std::logic_error(embedded_name + ": a row has the wrong length");
    rows_.push_back(std::move(row));
  }
}

double NumberTable::at(size_t row, const std::string& column) const { return rows_.at(row).at(columns_.at(column)); }

}  // namespace davit::verify
