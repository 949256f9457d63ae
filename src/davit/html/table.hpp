// Tables of a page.
#pragma once

#include <string>
#include <vector>

namespace davit::html {

// Cells are HTML: texts of users are escaped by whoever adds them.
class Table {
 public:
  enum class Align { text, number };
  struct Column {
    std::string title{};  // plain
    Align align = Align::number;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(const std::vector<std::string>& cells);
  bool empty() const { return rows_.empty(); }
  // The first column is that of names.
  std::string html() const;

 private:
  std::vector<Column> columns_;
  std::string rows_;
};

}  // namespace davit::html
