#include "davit/input/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <istream>
#include <memory>
#include <new>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "davit/input/source_text.hpp"
#include "davit/input/wording.hpp"
#include "davit/io/read_file.hpp"

namespace davit::input {

namespace {

// Far more than may be nested, because brackets in text and comments count too.
constexpr int most_open_brackets = 10'000;

// Leaves the parser from within a handler; the reason is already among the problems.
struct Stop : std::exception {};

struct Size {
  std::size_t nodes = 0;
  std::size_t bytes = 0;
  int height = 0;
};

void measure(const Node& node, Size& size, int height) {
  ++size.nodes;
  size.bytes += node.text.size();
  size.height = std::max(size.height, height);
  for (const Node& item : node.items) measure(item, size, height + 1);
  for (const Node::Entry& entry : node.entries) {
    size.bytes += entry.key.size();
    measure(entry.value, size, height + 1);
  }
}

// Without the path, which would be as long as the nest is deep.
void report_deep(const std::string& file, const Position& at, Problems& problems) {
  problems.error({file, at.line, at.column, ""}, fmt::format("nested more than {} levels deep", deepest),
                 "look for brackets that are not closed");
}

// Builds the tree from the parser's events. Events, because YAML::Node loses the places of keys, keeps the first of two
// equal keys in silence, and expands aliases without a limit.
class Builder : public YAML::EventHandler {
 public:
  Builder(const SourceText& source, const std::string& file, Problems& problems)
      : source_(source), file_(std::make_shared<const std::string>(file)), problems_(problems) {}

  std::optional<Node> take_root() { return std::move(root_); }

  Place place(const YAML::Mark& mark) const {
    if (mark.is_null() || mark.pos < 0) return {file_, 0, 0};
    const Position position = source_.position(static_cast<std::size_t>(mark.pos), mark.line, mark.column);
    return {file_, position.line, position.column};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!begun_) {
      begun_ = true;
      return;
    }
    fail(place(mark), "there is more after the end of the document",
         "keep one document in a file, and look for a wrong indent or bracket");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.place = place(mark);
    // For an empty value the parser reports whatever comes next; the key is what the user should look at.
    if (!frames_.empty() && frames_.back().key) {
      const Place& key = frames_.back().key->place;
      if (node.place.line != key.line) node.place = key;
    }
    begin_node(node.place);
    finish_node(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto target = anchors_.find(anchor);
    if (target == anchors_.end()) fail(place(mark), "this alias is inside what it stands for", "write the value out");
    Size size;
    measure(target->second, size, 1);
    if (static_cast<int>(frames_.size()) + size.height > deepest) fail_deep(place(mark));
    count(size.nodes, size.bytes, place(mark));
    add(target->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = scalar_node(value, tag == "!");
    node.place = place(mark);
    check_tag(tag, node.place);
    begin_node(node.place);
    finish_node(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(sequence_node(), mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(map_node(), mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Key {
    std::string text;
    Place place;
    bool usable = true;  // the value of an unusable key is read and dropped
  };

  struct Frame {
    Node node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::optional<Key> key;                     // of a map, once it is read and its value is not
    std::unordered_map<std::string, int> seen;  // of a map: key to line
  };

  [[noreturn]] void fail(const Place& at, std::string message, std::string remedy) {
    report(at, current_path(), std::move(message), std::move(remedy));
    throw Stop();
  }

  [[noreturn]] void fail_deep(const Place& at) {
    report_deep(*file_, {at.line, at.column}, problems_);
    throw Stop();
  }

  void report(const Place& at, const Path& path, std::string message, std::string remedy) {
    problems_.error({*file_, at.line, at.column, to_text(path)}, std::move(message), std::move(remedy));
  }

  Path current_path() const {
    Path path;
    for (const Frame& frame : frames_) {
      if (frame.node.is_sequence()) path = item_path(path, frame.node.items.size());
      if (frame.key) path = key_path(path, frame.key->text);
    }
    return path;
  }

  void count(std::size_t nodes, std::size_t bytes, const Place& at) {
    nodes_ += nodes;
    bytes_ += bytes;
    if (nodes_ > most_nodes)
      fail(at, fmt::format("more than {} values, aliases counted as often as they are used", most_nodes),
           "keep tables in files of their own");
    if (bytes_ > most_expanded_bytes)
      fail(at, fmt::format("more than {} MiB of text once aliases are expanded", most_expanded_bytes >> 20u),
           "use fewer aliases");
  }

  void check_tag(const std::string& tag, const Place& at) {
    if (!tag.empty() && tag != "?" && tag != "!")
      report(at, current_path(), fmt::format("the tag {} has no meaning in a scenario", shown(tag)), "leave it out");
  }

  void begin_node(const Place& at) { count(1, 0, at); }

  void open(Node node, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    node.place = place(mark);
    check_tag(tag, node.place);
    begin_node(node.place);
    if (static_cast<int>(frames_.size()) >= deepest) fail_deep(node.place);
    frames_.push_back({std::move(node), anchor, std::nullopt, {}});
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    finish_node(std::move(frame.node), frame.anchor);
  }

  void finish_node(Node node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      // The kept copy counts too: anchors inside anchors would otherwise multiply what is in memory.
      Size size;
      measure(node, size, 1);
      count(size.nodes, size.bytes, node.place);
      anchors_[anchor] = node;
    }
    add(std::move(node));
  }

  void add(Node node) {
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& top = frames_.back();
    if (top.node.is_sequence()) {
      top.node.items.push_back(std::move(node));
    } else if (!top.key) {
      top.key = read_key(std::move(node));
    } else {
      const Key key = *std::exchange(top.key, std::nullopt);
      if (key.usable) top.node.entries.push_back({key.text, key.place, std::move(node)});
    }
  }

  Key read_key(Node node) {
    Key key{std::move(node.text), node.place, false};
    if (!node.is_scalar()) {
      report(key.place, current_path(), fmt::format("{} stands where a key is expected", found(node)),
             "write a name before the colon");
      return key;
    }
    Frame& top = frames_.back();
    const Path path = key_path(current_path(), key.text.substr(0, longest_key));
    if (key.text.size() > longest_key) {
      key.text.resize(longest_key);
      report(key.place, path, fmt::format("a key is longer than {} characters", longest_key),
             "look for a missing colon or quote");
    } else if (key.text == "<<" && !node.quoted) {
      report(key.place, path, "merge keys are not used in a scenario",
             "write the values out, or start from another file with base:");
    } else if (const auto [first, fresh] = top.seen.emplace(key.text, key.place.line); !fresh) {
      report(key.place, path,
             fmt::format("the key {} is given twice, first in line {}", shown(key.text), first->second),
             "keep one of the two");
    } else {
      key.usable = true;
    }
    return key;
  }

  const SourceText& source_;
  std::shared_ptr<const std::string> file_;
  Problems& problems_;
  bool begun_ = false;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
  std::vector<Frame> frames_;
  std::unordered_map<YAML::anchor_t, Node> anchors_;
  std::optional<Node> root_;
};

void report_syntax(const YAML::Exception& mistake, const Place& at, const SourceText& source, Problems& problems) {
  const bool tab = source.is_indented_by_tab(at.line);
  problems.error({*at.file, at.line, at.column, ""}, fmt::format("this is not valid YAML: {}", mistake.msg),
                 tab ? "indent with spaces, not with tabs"
                     : "look at the indent, brackets, quotes and colons here and just before");
}

}  // namespace

std::optional<Node> parse_document(std::string_view text, const std::string& file, Problems& problems,
                                   int first_column) {
  const Where whole{file, 0, 0, ""};
  if (text.size() > most_bytes) {
    problems.error(whole, fmt::format("larger than {} MiB", most_bytes >> 20u), "keep tables in files of their own");
    return std::nullopt;
  }
  try {
    const SourceText source(text, first_column);
    if (const auto bad = source.first_bad_byte()) {
      problems.error({file, bad->line, bad->column, ""}, "a byte here is not text in UTF-8",
                     "save the file as UTF-8 text, without control characters");
      return std::nullopt;
    }
    if (const auto beyond = source.first_bracket_beyond(most_open_brackets)) {
      report_deep(file, *beyond, problems);
      return std::nullopt;
    }
    Builder builder(source, file, problems);
    try {
      std::istringstream stream(source.text());
      YAML::Parser parser(stream);
      while (parser.HandleNextDocument(builder)) {}
    } catch (const YAML::Exception& mistake) {
      report_syntax(mistake, builder.place(mistake.mark), source, problems);
      return std::nullopt;
    }
    std::optional<Node> root = builder.take_root();
    if (!root || root->is_null()) {
      problems.error(whole, "there is nothing in it", "describe a lift, beginning with 'davit: 1'");
      return std::nullopt;
    }
    set_paths(*root, nullptr);
    return root;
  } catch (const Stop&) {
  } catch (const std::bad_alloc&) {
    problems.error(whole, "too large for the memory of this machine", "keep tables in files of their own");
  } catch (const std::exception& surprise) {
    problems.error(whole, fmt::format("the YAML parser gave up: {}", surprise.what()),
                   "look at quotes, brackets and unusual characters");
  }
  return std::nullopt;
}

std::optional<Node> load_document(const std::filesystem::path& file, Problems& problems,
                                  const std::optional<Where>& asked_by) {
  const std::string name = file.string();
  const auto refuse = [&](std::string message, std::string remedy) {
    if (asked_by) message = fmt::format("{}: {}", name, message);
    problems.error(asked_by.value_or(Where{name, 0, 0, ""}), std::move(message), std::move(remedy));
    return std::nullopt;
  };
  try {
    return parse_document(io::read_file(file, most_bytes), name, problems);
  } catch (const io::FileError& error) {
    return refuse(error.message, error.remedy);
  } catch (const std::exception& surprise) {
    return refuse(fmt::format("the file cannot be read: {}", surprise.what()), "check the file and the memory");
  }
}

}  // namespace davit::input
