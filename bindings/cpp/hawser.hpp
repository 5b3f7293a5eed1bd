/// @file hawser.hpp
/// Hawser for C++17: worlds, scenes and results that free themselves. A thin face over the C headers, which stay the manual: defs,
/// ids and enumerators are C's. Nothing here throws unless `value()` of something that failed is asked for, and then only where
/// exceptions are on.
#ifndef HAWSER_HPP
#define HAWSER_HPP

#include "hawser/hawser.h"
#include "hawser/results.h"
#include "hawser/scene.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#ifdef __cpp_exceptions
#include <stdexcept>
#endif

namespace hawser {

/// What went wrong, or that nothing did.
class [[nodiscard]] Status {
  public:
    Status() = default;
    Status(hwStatus status, const hwError& error) : error_(error) { error_.status = status; }

    /// True when it was done.
    explicit operator bool() const { return error_.status >= HW_OK; }
    hwStatus code() const { return error_.status; }
    /// Everything that is known about it: object, field, line, column, time, hint.
    const hwError& error() const { return error_; }
    /// One sentence; with the place where there is one.
    std::string message() const {
        if (*this) return "";
        std::string text = error_.message;
        if (error_.line > 0) text = std::to_string(error_.line) + ":" + std::to_string(error_.column) + ": " + text;
        return error_.hint[0] != 0 ? text + " (" + error_.hint + ")" : text;
    }
    /// Ends with the message unless it was done: throws, or aborts where exceptions are off.
    void check() const {
        if (*this) return;
#ifdef __cpp_exceptions
        throw std::runtime_error(message());
#else
        std::fprintf(stderr, "hawser: %s\n", message().c_str());
        std::abort();
#endif
    }

  private:
    hwError error_ = {};
};

/// A value, or why there is none.
template <class T> class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}
    Result(const hwError& error) : status_(error.status < HW_OK ? error.status : HW_ERROR_ARGUMENT, error) {}

    explicit operator bool() const { return static_cast<bool>(status_); }
    const Status& status() const { return status_; }
    std::string message() const { return status_.message(); }
    /// The value; see Status::check for what happens without one.
    T& value() & {
        status_.check();
        return value_;
    }
    T&& value() && {
        status_.check();
        return std::move(value_);
    }
    T* operator->() { return &value(); }

  private:
    T value_{};
    Status status_;
};

/// A channel that was looked up once and is read often. Good until the world is prepared again.
class Channel {
  public:
    Channel() = default;
    Channel(const hwWorld* world, int index) : world_(world), index_(index) {}
    explicit operator bool() const { return index_ >= 0; }
    double read() const { return index_ >= 0 ? hwWorld_ReadChannel(world_, index_) : std::nan(""); }
    const char* unit() const { return index_ >= 0 ? hwWorld_GetChannel(world_, index_).unit : ""; }

  private:
    const hwWorld* world_ = nullptr;
    int index_ = -1;
};

/// The bytes of a saved state.
using State = std::vector<std::byte>;

/// A world. Moves, does not copy; branch() makes another one.
class World {
  public:
    World() = default;
    /// Takes over a world of C.
    explicit World(hwWorld* world) : world_(world) {}

    static Result<World> create(const hwWorldDef& def = hwDefaultWorldDef()) {
        hwError error;
        hwWorld* world = hwCreateWorld(&def, &error);
        return world != nullptr ? Result<World>(World(world)) : Result<World>(error);
    }

    /// For the C calls that have no face here.
    hwWorld* get() const { return world_.get(); }
    explicit operator bool() const { return world_ != nullptr; }

    Result<hwBodyId> add(const hwBodyDef& def) { return Add(hwWorld_AddBody, def); }
    Result<hwCableId> add(const hwCableDef& def) { return Add(hwWorld_AddCable, def); }
    Result<hwForceId> add(const hwForceDef& def) { return Add(hwWorld_AddForce, def); }
    Result<hwWinchId> add(const hwWinchDef& def) { return Add(hwWorld_AddWinch, def); }
    Status set(const hwEnvironmentDef& def) {
        return Call([&](hwError* error) { return hwWorld_SetEnvironment(get(), &def, error); });
    }
    Status prepare() {
        return Call([&](hwError* error) { return hwWorld_Prepare(get(), error); });
    }

    Status step(double interval) {
        return Call([&](hwError* error) { return hwWorld_Step(get(), interval, error); });
    }
    double time() const { return hwWorld_GetTime(get()); }

    /// Value of a channel now; NaN when there is none of that name.
    double operator[](const char* name) const { return channel(name).read(); }
    Channel channel(const char* name) const { return Channel(get(), hwWorld_FindChannel(get(), name)); }
    /// Sets an input from now on.
    Status set(const char* input, double value) {
        return Call([&](hwError* error) {
            int index = hwWorld_FindInput(get(), input);
            if (index >= 0) return hwWorld_SetInput(get(), index, value, error);
            *error = hwError{};
            std::snprintf(error->message, sizeof(error->message), "There is no input %.80s.", input);
            return HW_ERROR_ARGUMENT;
        });
    }

    Result<State> save() const {
        State state(hwWorld_GetStateSize(get()));
        hwError error;
        hwStatus status = hwWorld_SaveState(get(), state.data(), state.size(), &error);
        return status >= HW_OK ? Result<State>(std::move(state)) : Result<State>(error);
    }
    Status restore(const State& state) {
        return Call([&](hwError* error) { return hwWorld_RestoreState(get(), state.data(), state.size(), error); });
    }
    std::uint64_t hash() const { return hwWorld_HashState(get()); }
    Result<World> branch() const {
        hwError error;
        hwWorld* world = hwWorld_Branch(get(), &error);
        return world != nullptr ? Result<World>(World(world)) : Result<World>(error);
    }

    Result<hwBodyState> body(hwBodyId id) const {
        hwBodyState state;
        hwError error;
        return hwBody_GetState(get(), id, &state, &error) >= HW_OK ? Result<hwBodyState>(state) : Result<hwBodyState>(error);
    }
    /// Nodes and elements; valid until the world changes.
    Result<hwCableView> cable(hwCableId id) const {
        hwCableView view;
        hwError error;
        return hwCable_GetView(get(), id, &view, &error) >= HW_OK ? Result<hwCableView>(view) : Result<hwCableView>(error);
    }

  private:
    struct Destroy {
        void operator()(hwWorld* world) const { hwDestroyWorld(world); }
    };
    std::unique_ptr<hwWorld, Destroy> world_;

    template <class Function> static Status Call(Function function) {
        hwError error = {};
        hwStatus status = function(&error);
        return status >= HW_OK ? Status() : Status(status, error);
    }
    template <class Id, class Def> Result<Id> Add(Id (*function)(hwWorld*, const Def*, hwError*), const Def& def) {
        hwError error;
        Id id = function(get(), &def, &error);
        return HW_IS_NULL(id) ? Result<Id>(error) : Result<Id>(id);
    }
};

/// A scene that was read; makes any number of worlds. Needs hawser-io.
class Scene {
  public:
    Scene() = default;
    static Result<Scene> load(const char* path, const std::vector<const char*>& sets = {}) {
        hwError error;
        hwScene* scene = hwLoadSceneWith(path, static_cast<int>(sets.size()), sets.data(), &error);
        return scene != nullptr ? Result<Scene>(Scene(scene)) : Result<Scene>(error);
    }
    /// From text; files that it names are sought in `folder`, null: it names none.
    static Result<Scene> parse(const std::string& text, const char* name = "scene", const char* folder = nullptr) {
        hwError error;
        hwScene* scene = hwParseScene(text.data(), text.size(), name, folder, &error);
        return scene != nullptr ? Result<Scene>(Scene(scene)) : Result<Scene>(error);
    }
    hwScene* get() const { return scene_.get(); }
    const hwSceneInfo& info() const { return *hwScene_GetInfo(get()); }
    /// A world at the scene's start, with its build-up done: hwScene_CreateWorld, then hwWorld_BuildUp.
    Result<World> world() const {
        hwError error;
        hwWorld* world = hwScene_CreateWorld(get(), nullptr, &error);
        if (world != nullptr && hwWorld_BuildUp(world, &error) != HW_OK) {
            hwDestroyWorld(world);
            world = nullptr;
        }
        return world != nullptr ? Result<World>(World(world)) : Result<World>(error);
    }

  private:
    struct Destroy {
        void operator()(hwScene* scene) const { hwDestroyScene(scene); }
    };
    explicit Scene(hwScene* scene) : scene_(scene) {}
    std::unique_ptr<hwScene, Destroy> scene_;
};

/// Results opened for reading. Needs hawser-io.
class Results {
  public:
    Results() = default;
    static Result<Results> open(const char* path) {
        hwError error;
        hwResults* results = hwOpenResults(path, &error);
        return results != nullptr ? Result<Results>(Results(results)) : Result<Results>(error);
    }
    hwResults* get() const { return results_.get(); }
    std::size_t rows() const { return static_cast<std::size_t>(hwResults_GetRowCount(get())); }
    std::size_t channels() const { return static_cast<std::size_t>(hwResults_GetChannelCount(get())); }
    /// A whole column; empty when there is none of that name or it cannot be read.
    std::vector<double> column(const char* name) const {
        int index = hwResults_FindChannel(get(), name);
        std::vector<double> row(channels()), values;
        for (std::size_t i = 0; index >= 0 && i < rows(); ++i) {
            if (hwResults_ReadRows(get(), static_cast<std::int64_t>(i), 1, row.data(), nullptr) < HW_OK) return {};
            values.push_back(row[static_cast<std::size_t>(index)]);
        }
        return values;
    }

  private:
    struct Close {
        void operator()(hwResults* results) const { hwCloseResults(results); }
    };
    explicit Results(hwResults* results) : results_(results) {}
    std::unique_ptr<hwResults, Close> results_;
};

} // namespace hawser
#endif
