// FCL's meshes: segments as triangles of no width, and distances. Its fastest boxes for both are OBBRSS; meshes of AABB
// are copied at every query.
#include "fcl_mesh.hpp"

#include <fcl/fcl.h>

#include <memory>

namespace davit::bench {
namespace {

fcl::Transform3d transform(const PlainPose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) t.linear()(i, j) = pose.R[3 * i + j];
    t.translation()[i] = pose.p[i];
  }
  return t;
}

class Meshes final : public FclMeshes {
 public:
  Meshes(const PlainMesh& mesh, const PlainMesh& second, double length) : first_(make(mesh)), second_(make(second)) {
    segment_ = make({{0, 0, 0, length, 0, 0, length, 1e-9 * length, 0}, {0, 1, 2}});
  }

  int meet(const PlainPose& pose, std::vector<int>& hit) override {
    fcl::CollisionRequestd request(10000, false);
    result_.clear();
    fcl::collide(first_.get(), fcl::Transform3d::Identity(), segment_.get(), transform(pose), request, result_);
    for (size_t i = 0; i < result_.numContacts(); ++i) hit.push_back(static_cast<int>(result_.getContact(i).b1));
    return static_cast<int>(result_.numContacts());
  }

  double distance(const PlainPose& pose) override {
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return fcl::distance(first_.get(), fcl::Transform3d::Identity(), second_.get(), transform(pose), request, result);
  }

 private:
  using Model = fcl::BVHModel<fcl::OBBRSSd>;
  static std::shared_ptr<Model> make(const PlainMesh& mesh) {
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < mesh.points.size(); i += 3)
      points.emplace_back(mesh.points[i], mesh.points[i + 1], mesh.points[i + 2]);
    for (size_t i = 0; i < mesh.triangles.size(); i += 3)
      triangles.emplace_back(mesh.triangles[i], mesh.triangles[i + 1], mesh.triangles[i + 2]);
    auto model = std::make_shared<Model>();
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
  }

  std::shared_ptr<Model> first_, second_, segment_;
  fcl::CollisionResultd result_;
};

}  // namespace
}  // namespace davit::bench

extern "C" __attribute__((visibility("default"))) davit::bench::FclMeshes* davit_fcl_meshes(
    const davit::bench::PlainMesh& mesh, const davit::bench::PlainMesh& second, double segment) {
  return new davit::bench::Meshes(mesh, second, segment);
}
