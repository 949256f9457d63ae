#include "davit/input/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace davit::input {

namespace {

bool means_null(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

// Whether a plain scalar (or key) reads back as this text. Stricter than YAML where that costs only quotes.
bool may_be_plain(std::string_view text, bool in_flow) {
  if (means_null(text) || text == "<<") return false;
  if (text.find("\xEF\xBB\xBF") != std::string_view::npos) return false;  // a byte-order mark
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (std::any_of(text.begin(), text.end(), control)) return false;
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view("?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) return false;
  if (text.starts_with("...")) return false;
  if (text.front() == '-' && (text.size() == 1 || text[1] == ' ' || text[1] == '-')) return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
  return !in_flow || text.find_first_of(",[]{}:?") == std::string_view::npos;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + '"';
}

std::string key_text(const std::string& key, bool in_flow) { return may_be_plain(key, in_flow) ? key : in_quotes(key); }

std::string scalar_text(const Node& node, bool in_flow) {
  if (node.is_null()) return "null";
  return !node.quoted && may_be_plain(node.text, in_flow) ? node.text : in_quotes(node.text);
}

bool is_leaf(const Node& node) { return node.is_null() || node.is_scalar(); }

bool fits_one_line(const Node& node) {
  return is_leaf(node) || (node.entries.empty() && std::all_of(node.items.begin(), node.items.end(), is_leaf));
}

void write_flow(const Node& node, bool in_flow, std::string& out) {
  const char* separator = "";
  if (is_leaf(node)) {
    out += scalar_text(node, in_flow);
  } else if (node.is_sequence()) {
    out += '[';
    for (const Node& item : node.items) {
      out += std::exchange(separator, ", ");
      write_flow(item, true, out);
    }
    out += ']';
  } else {
    out += '{';
    for (const Node::Entry& entry : node.entries) {
      out += std::exchange(separator, ", ") + key_text(entry.key, true) + ": ";
      write_flow(entry.value, true, out);
    }
    out += '}';
  }
}

void write_block(const Node& node, std::size_t indent, std::string& out) {
  // A value that needs lines of its own goes below its key or dash.
  const auto write_value = [&](const Node& value) {
    if (fits_one_line(value)) {
      out += ' ';
      write_flow(value, false, out);
      out += '\n';
    } else {
      out += '\n';
      write_block(value, indent + 2, out);
    }
  };
  for (const Node& item : node.items) {
    out.append(indent, ' ') += '-';
    write_value(item);
  }
  for (const Node::Entry& entry : node.entries) {
    out.append(indent, ' ') += key_text(entry.key, false) + ':';
    write_value(entry.value);
  }
}

}  // namespace

std::string to_yaml(const Node& node) {
  std::string out;
  if (fits_one_line(node)) {
    write_flow(node, false, out);
    out += '\n';
  } else {
    write_block(node, 0, out);
  }
  return out;
}

std::string to_flow(const Node& node) {
  std::string out;
  write_flow(node, false, out);
  return out;
}

}  // namespace davit::input
