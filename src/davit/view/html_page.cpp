#include "davit/view/html_page.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <stdexcept>

#include "davit/html/html.hpp"
#include "davit/io/write_file.hpp"
#include "davit/result/result_error.hpp"
#include "davit/view/assets.hpp"
#include "davit/view/content.hpp"

namespace davit::view {

namespace {

constexpr std::uint64_t frames_per_piece = 4 * result::frames_per_block;  // as web/src/frames.ts asks for them

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                Z_DEFAULT_COMPRESSION) != Z_OK)
    throw std::runtime_error("not enough memory to pack a page");
  out.resize(size);
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = (three << 8U) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[(three >> (18 - 6 * k)) & 63U];
  }
  return out;
}

std::string head(const std::string& title, const std::string& policy, const std::string& more) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><meta http-equiv=\"Content-Security-Policy\" content=\"{}\"><title>{}</title>"
      "{}</head><body>\n",
      policy, html::escape(title), more);
}

// All frames that are kept, packed anew where some are left out.
class ThinnedFrames {
 public:
  ThinnedFrames(const result::Result& result, std::uint64_t most) : result_(result) {
    stride_ = std::max<std::uint64_t>((result.frames() + most - 1) / std::max<std::uint64_t>(most, 1), 1);
    count_ = (result.frames() + stride_ - 1) / stride_;
  }
  std::uint64_t stride() const { return stride_; }
  std::uint64_t count() const { return count_; }

  template <typename Use>
  void each_piece(const Use& use) const {
    if (stride_ == 1) {
      for (std::uint64_t first = 0; first < count_; first += frames_per_piece)
        use(result_.read_frames(first, std::min(frames_per_piece, count_ - first)));
      return;
    }
    const result::FrameShape& shape = result_.scene()->frames;
    result::FramePacker packer(shape);
    result::PackedFrames piece;
    std::uint64_t kept = 0;
    for (std::uint64_t first = 0; first < result_.frames(); first += frames_per_piece) {
      const auto unpacked =
          unpack(shape, result_.read_frames(first, std::min(frames_per_piece, result_.frames() - first)));
      for (std::uint64_t f = 0; f < unpacked.size(); ++f) {
        if ((first + f) % stride_ != 0) continue;
        packer.pack(unpacked[f], piece);
        if (++kept % frames_per_piece != 0) continue;
        use(piece);
        piece = {.first = kept};
      }
    }
    if (!piece.times.empty()) use(piece);
  }

 private:
  const result::Result& result_;
  std::uint64_t stride_ = 1, count_ = 0;
};

// Bytes in an element, for the viewer to find by its name.
void append_piece(const std::string& name, const std::string& bytes, std::string& out) {
  out += fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", name, base64(deflated(bytes)));
}

void append_scene(const result::Result& result, const ThinnedFrames& thinned, const std::string& prefix,
                  std::string& out) {
  append_piece(prefix + "meshes", meshes(result.scene()), out);
  std::string frame_times;
  std::size_t number = 0;
  thinned.each_piece([&](const result::PackedFrames& packed) {
    frame_times.append(reinterpret_cast<const char*>(packed.times.data()), packed.times.size() * sizeof(double));
    append_piece(fmt::format("{}frames-{}", prefix, number++), frames(packed), out);
  });
  append_piece(prefix + "frame-times", frame_times, out);
}

// Everything of a result, in elements whose names begin with `prefix`.
WrittenPage append_pieces(const result::Result& result, const PageLimits& limits, const std::string& prefix,
                          bool compared, std::string& out) {
  WrittenPage written;
  written.stride = std::max<std::uint64_t>((result.rows() + limits.pairs - 1) / limits.pairs, 1);
  const ThinnedFrames thinned(result, limits.frames);
  written.frame_stride = thinned.stride();
  append_piece(prefix + "meta",
               meta_json(result, {written.stride, thinned.stride(), thinned.count(), frames_per_piece, compared}), out);
  append_scene(result, thinned, prefix, out);
  append_piece(prefix + "times", times(result, 0, result.rows(), written.stride), out);
  for (std::size_t c = 0; c < result.channels().size(); ++c)
    append_piece(fmt::format("{}channel-{}", prefix, c), channel(result, c, 0, result.rows(), written.stride), out);
  return written;
}

std::string page_head(const result::Result& result) {
  return head(result.header().title,
              "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
              "base-uri 'none'; form-action 'none'",
              fmt::format("<style>{}</style>", viewer_style()));
}

std::string page_foot(const char* classes) {
  return fmt::format("<div id=\"davit\" class=\"{}\"></div><script>", classes) + std::string(viewer_script()) +
         "</script></body></html>\n";
}

}  // namespace

std::string served_page(const std::string& title) {
  return head(title,
              "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
              "connect-src 'self'; base-uri 'none'; form-action 'none'",
              "<link rel=\"stylesheet\" href=\"viewer.css\"><link rel=\"icon\" href=\"data:,\">") +
         "<div id=\"davit\"></div><script src=\"viewer.js\"></script></body></html>\n";
}

WrittenPage write_page(const result::Result& result, const std::filesystem::path& path, const PageLimits& limits,
                       const result::Result* other) {
  std::string out = page_head(result);
  WrittenPage written = append_pieces(result, limits, "davit-", other != nullptr, out);
  if (other) append_pieces(*other, limits, "davit-other-", false, out);
  out += page_foot("");
  try {
    io::write_file(path, out);
  } catch (const io::FileError& error) {
    throw result::ResultError(path.string() + ": " + error.what());
  }
  written.bytes = out.size();
  return written;
}

std::string small_page(const result::Result& result, std::uint64_t most_frames) {
  std::string out = page_head(result);
  const ThinnedFrames thinned(result, most_frames);
  Thinning thinning{1, thinned.stride(), thinned.count(), frames_per_piece, false};
  thinning.curves = false;
  append_piece("davit-meta", meta_json(result, thinning), out);
  append_scene(result, thinned, "davit-", out);
  append_piece("davit-times", "", out);
  return out + page_foot("small");
}

}  // namespace davit::view
