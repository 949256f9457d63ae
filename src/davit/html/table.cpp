#include "davit/html/table.hpp"

#include "davit/html/html.hpp"

namespace davit::html {

void Table::add(const std::vector<std::string>& cells) {
  rows_ += "<tr>";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    rows_ += i == 0 ? "<td class=\"name\">" : columns_[i].align == Align::number ? "<td class=\"n\">" : "<td>";
    if (i < cells.size()) rows_ += cells[i];
    rows_ += "</td>";
  }
  rows_ += "</tr>\n";
}

std::string Table::html() const {
  std::string out = "<div class=\"wide\"><table><thead><tr>";
  for (const Column& column : columns_) {
    out += column.align == Align::number ? "<th class=\"n\">" : "<th>";
    out += escape(column.title) + "</th>";
  }
  return out + "</tr></thead><tbody>\n" + rows_ + "</tbody></table></div>\n";
}

}  // namespace davit::html
