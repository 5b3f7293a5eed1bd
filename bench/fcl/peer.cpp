// FCL as a peer of the benchmarks: a module of its own, which bench/contact_peers.c opens when it is there.
#include <fcl/fcl.h>

#include <ctime>
#include <memory>

static double GetWork() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds of one query: the contacts, up to 16, of a capsule with a mesh. `axes` has two points of three coordinates for each
// capsule; all have one length.
extern "C" double hwPeerFcl_TimeCapsules(int vertexCount, const double* vertices, int triangleCount,
                                         const int* triangles, int count, const double* axes, double radius,
                                         long* contacts) {
    using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
    auto model = std::make_shared<Model>();
    model->beginModel(triangleCount, vertexCount);
    std::vector<fcl::Vector3<double>> points;
    std::vector<fcl::Triangle> faces;
    for (int i = 0; i < vertexCount; ++i)
        points.emplace_back(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
    for (int i = 0; i < triangleCount; ++i)
        faces.emplace_back(triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
    model->addSubModel(points, faces);
    model->endModel();
    std::vector<fcl::Transform3<double>> places;
    double length = 0.0;
    for (int i = 0; i < count; ++i) {
        fcl::Vector3<double> p(axes[6 * i], axes[6 * i + 1], axes[6 * i + 2]);
        fcl::Vector3<double> q(axes[6 * i + 3], axes[6 * i + 4], axes[6 * i + 5]);
        fcl::Transform3<double> place = fcl::Transform3<double>::Identity();
        place.linear() =
            fcl::Quaternion<double>::FromTwoVectors(fcl::Vector3<double>::UnitZ(), q - p).toRotationMatrix();
        place.translation() = 0.5 * (p + q);
        places.push_back(place);
        length = (q - p).norm();
    }
    fcl::CollisionObject<double> mesh(model);
    fcl::CollisionObject<double> capsule(std::make_shared<fcl::Capsule<double>>(radius, length));
    fcl::CollisionRequest<double> request(16, true);
    *contacts = 0;
    double start = GetWork();
    for (int i = 0; i < count; ++i) {
        capsule.setTransform(places[static_cast<size_t>(i)]);
        fcl::CollisionResult<double> result;
        *contacts += static_cast<long>(fcl::collide(&capsule, &mesh, request, result));
    }
    return (GetWork() - start) / count;
}
