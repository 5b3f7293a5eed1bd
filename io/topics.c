#define _POSIX_C_SOURCE 200809L
#include "hawser/topics.h"

#include "csv_number.h"
#include "hawser/body.h"
#include "result_objects.h"
#include "results_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COOKIE 0x70e1c5

// Text that grows.
typedef struct Text {
    char* text;
    size_t size, capacity;
    bool failed;
} Text;

static bool Reserve(Text* text, size_t more) {
    if (text->size + more + 1 <= text->capacity) return true;
    size_t capacity = 2 * (text->size + more) + 256;
    char* larger = realloc(text->text, capacity);
    if (larger == NULL) {
        text->failed = true;
        return false;
    }
    text->text = larger;
    text->capacity = capacity;
    return true;
}

static void Put(Text* text, const char* part) {
    size_t length = strlen(part);
    if (!Reserve(text, length)) return;
    memcpy(text->text + text->size, part, length + 1);
    text->size += length;
}

static void PutFormat(Text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void PutFormat(Text* text, const char* format, ...) {
    char part[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof(part), format, arguments);
    va_end(arguments);
    Put(text, part);
}

// JSON has no numbers that are not finite.
static void PutNumber(Text* text, double value) {
    char number[HW_NUMBER_SIZE + 1];
    if (!isfinite(value)) {
        Put(text, "null");
        return;
    }
    number[hwFormatNumber(value, number)] = 0;
    Put(text, number);
}

static void PutVector(Text* text, const char* name, hwVec3 v) {
    PutFormat(text, "\"%s\":{\"x\":", name);
    PutNumber(text, v.x);
    Put(text, ",\"y\":");
    PutNumber(text, v.y);
    Put(text, ",\"z\":");
    PutNumber(text, v.z);
    Put(text, "}");
}

static void PutTurn(Text* text, const char* name, hwQuat q) {
    PutFormat(text, "\"%s\":{\"x\":", name);
    PutNumber(text, q.x);
    Put(text, ",\"y\":");
    PutNumber(text, q.y);
    Put(text, ",\"z\":");
    PutNumber(text, q.z);
    Put(text, ",\"w\":");
    PutNumber(text, q.w);
    Put(text, "}");
}

static void PutTime(Text* text, const double* row) {
    uint64_t time = hwTopics_GetTime(row);
    PutFormat(text, "\"timestamp\":{\"sec\":%llu,\"nsec\":%llu}", (unsigned long long)(time / 1000000000u),
              (unsigned long long)(time % 1000000000u));
}

// Names ------------------------------------------------------------------------------------------------------------------------

// A step of a channel's name: `node[3]` is the step `node` and then entry 3.
typedef struct Tree {
    char* key;  // null: an entry of a list
    int column; // -1: it has children
    int count, capacity;
    struct Tree* children;
    bool list;
} Tree;

typedef enum TopicKind { TOPIC_OBJECT, TOPIC_FRAMES, TOPIC_SCENE, TOPIC_CLOUD } TopicKind;

typedef struct Topic {
    TopicKind kind;
    char* name;
    char* schemaName;
    char* schema;
    Tree tree;
    int sonar;   // of a cloud
    bool framed; // the sonar's frame is among those of /tf
} Topic;

struct hwTopics {
    int count, capacity;
    Topic* items;
    hwResultObjects objects;
    const hwSonarClouds* clouds; // null: none
    char** shapes; // of each frame: JSON of its cubes, spheres, cylinders and triangles; null: none
    Text message;
};

static void FreeTree(Tree* tree) {
    for (int i = 0; i < tree->count; ++i) FreeTree(&tree->children[i]);
    free(tree->children);
    free(tree->key);
}

// The child of a name, or the entry of a list; made when it is not there. Null: no memory.
static Tree* GetChild(Tree* tree, const char* key, size_t length, int entry) {
    if (entry >= 0 && entry < tree->count) return &tree->children[entry];
    for (int i = 0; entry < 0 && i < tree->count; ++i) {
        const char* own = tree->children[i].key;
        if (own != NULL && strlen(own) == length && strncmp(own, key, length) == 0) return &tree->children[i];
    }
    if (tree->count == tree->capacity) {
        int capacity = tree->capacity > 0 ? 2 * tree->capacity : 4;
        Tree* children = realloc(tree->children, (size_t)capacity * sizeof(*children));
        if (children == NULL) return NULL;
        tree->children = children;
        tree->capacity = capacity;
    }
    Tree* child = &tree->children[tree->count++];
    *child = (Tree){.column = -1};
    if (entry >= 0) {
        tree->list = true;
        return child;
    }
    child->key = strndup(key, length);
    return child->key != NULL ? child : NULL;
}

static bool AddChannel(Tree* tree, const char* name, int column) {
    while (*name != 0) {
        size_t length = strcspn(name, ".");
        size_t plain = strcspn(name, "[");
        int entry = -1, used = 0;
        bool numbered = plain < length && sscanf(name + plain, "[%d]%n", &entry, &used) == 1 &&
                        plain + (size_t)used == length;
        tree = GetChild(tree, name, numbered ? plain : length, -1);
        // entries that are recorded without those before them take the next place
        if (tree != NULL && numbered) tree = GetChild(tree, "", 0, entry < tree->count ? entry : tree->count);
        if (tree == NULL) return false;
        name += length + (name[length] == '.');
    }
    if (tree->count > 0) { // a number that has parts too, as in `world.energy` and `world.energy.kinetic`
        tree = GetChild(tree, "value", 5, -1);
        if (tree == NULL) return false;
    }
    tree->column = column;
    return true;
}

// A number that turned out to have parts becomes one of them.
static bool MoveValues(Tree* tree) {
    if (tree->column >= 0 && tree->count > 0) {
        int column = tree->column;
        Tree* child = GetChild(tree, "value", 5, -1);
        if (child == NULL) return false;
        child->column = column;
        tree->column = -1;
    }
    for (int i = 0; i < tree->count; ++i) {
        if (!MoveValues(&tree->children[i])) return false;
    }
    return true;
}

static void PutValues(Text* text, const Tree* tree, const double* row) {
    if (tree->column >= 0) {
        PutNumber(text, row[tree->column]);
        return;
    }
    Put(text, tree->list ? "[" : "{");
    for (int i = 0; i < tree->count; ++i) {
        if (i > 0) Put(text, ",");
        if (!tree->list) PutFormat(text, "\"%s\":", tree->children[i].key);
        PutValues(text, &tree->children[i], row);
    }
    Put(text, tree->list ? "]" : "}");
}

static void PutSchema(Text* text, const Tree* tree, const hwChannelInfo* channels) {
    if (tree->column >= 0) {
        PutFormat(text, "{\"type\":\"number\",\"description\":\"%s\"}", channels[tree->column].unit);
        return;
    }
    if (tree->list) {
        Put(text, "{\"type\":\"array\",\"items\":");
        PutSchema(text, &tree->children[0], channels);
        Put(text, "}");
        return;
    }
    Put(text, "{\"type\":\"object\",\"properties\":{");
    for (int i = 0; i < tree->count; ++i) {
        PutFormat(text, "%s\"%s\":", i > 0 ? "," : "", tree->children[i].key);
        PutSchema(text, &tree->children[i], channels);
    }
    Put(text, "}}");
}

// Foxglove's schemas, as far as they are used here ----------------------------------------------------------------------------------

#define JSON_TIME                                                                                            \
    "{\"type\":\"object\",\"title\":\"time\",\"properties\":{\"sec\":{\"type\":\"integer\"},\"nsec\":{"      \
    "\"type\":\"integer\"}}}"
#define JSON_VECTOR                                                                                          \
    "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"},\"y\":{\"type\":\"number\"},\"z\":{"   \
    "\"type\":\"number\"}}}"
#define JSON_TURN                                                                                            \
    "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"},\"y\":{\"type\":\"number\"},\"z\":{"   \
    "\"type\":\"number\"},"                                                                                  \
    "\"w\":{\"type\":\"number\"}}}"
#define JSON_COLOR                                                                                           \
    "{\"type\":\"object\",\"properties\":{\"r\":{\"type\":\"number\"},\"g\":{\"type\":\"number\"},\"b\":{"   \
    "\"type\":\"number\"},"                                                                                  \
    "\"a\":{\"type\":\"number\"}}}"
#define JSON_POSE                                                                                            \
    "{\"type\":\"object\",\"properties\":{\"position\":" JSON_VECTOR ",\"orientation\":" JSON_TURN "}}"
#define JSON_LIST(OF) "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{" OF "}}}"

static const char g_framesSchema[] =
    "{\"title\":\"foxglove.FrameTransforms\",\"type\":\"object\",\"properties\":{\"transforms\":" JSON_LIST(
        "\"timestamp\":" JSON_TIME
        ",\"parent_frame_id\":{\"type\":\"string\"},\"child_frame_id\":{\"type\":\"string\"},"
        "\"translation\":" JSON_VECTOR ",\"rotation\":" JSON_TURN) "}}";
// In two parts: C promises no longer strings.
static const char g_sceneSchema[] =
    "{\"title\":\"foxglove.SceneUpdate\",\"type\":\"object\",\"properties\":{"
    "\"deletions\":" JSON_LIST(
        "\"timestamp\":" JSON_TIME ",\"type\":{\"type\":\"integer\"},\"id\":{\"type\":"
        "\"string\"}") ",\"entities\":{\"type\":\"array\",\"items\":"
                       "{\"type\":\"object\",\"properties\":{"
                       "\"timestamp\":" JSON_TIME ",\"frame_id\":{\"type\":\"string\"},\"id\":{"
                       "\"type\":\"string\"},\"lifetime\":" JSON_TIME
                       ",\"frame_locked\":{\"type\":\"boolean\"},"
                       "\"cubes\":" JSON_LIST(
                           "\"pose\":" JSON_POSE ",\"size\":" JSON_VECTOR
                           ",\"color\":" JSON_COLOR) ",\"spheres\""
                                                     ":" JSON_LIST("\"pose\":" JSON_POSE
                                                                   ",\"size\":" JSON_VECTOR
                                                                   ",\"color\":" JSON_COLOR);
static const char g_sceneSchemaRest[] = ",\"cylinders\":" JSON_LIST(
    "\"pose\":" JSON_POSE ",\"size\":" JSON_VECTOR
    ",\"bottom_scale\":{\"type\":\"number\"},\"top_scale\":{\"type\":\"number\"},"
    "\"color\":" JSON_COLOR) ",\"lines\":" JSON_LIST("\"type\":{\"type\":\"integer\"},\"pose\":" JSON_POSE
                                                     ",\"thickness\":{\"type\":\"number\"},"
                                                     "\"scale_invariant\":{\"type\":\"boolean\"},"
                                                     "\"points\":{\"type\":\"array\","
                                                     "\"items\":" JSON_VECTOR "},\"color\":" JSON_COLOR
                                                     ",\"indices\":{\"type\":\"array\",\"items\":{"
                                                     "\"type\":\"integer\"}}") ",\"triangles\""
                                                                               ":" JSON_LIST(
                                                                                   "\"pose\""
                                                                                   ":" JSON_POSE ",\"points\""
                                                                                   ":{\"type\":"
                                                                                   "\"array\","
                                                                                   "\"items\""
                                                                                   ":" JSON_VECTOR "},"
                                                                                   "\"color\""
                                                                                   ":" JSON_COLOR ",\"indices"
                                                                                   "\":{"
                                                                                   "\"type\":"
                                                                                   "\"array\","
                                                                                   "\"items\":{"
                                                                                   "\"type\":"
                                                                                   "\"integer\""
                                                                                   "}}") "}}}}"
                                                                                         "}";

static const char g_cloudSchema[] =
    "{\"title\":\"foxglove.PointCloud\",\"type\":\"object\",\"properties\":{\"timestamp\":" JSON_TIME
    ",\"frame_id\":{\"type\":\"string\"},\"pose\":" JSON_POSE
    ",\"point_stride\":{\"type\":\"integer\"},\"fields\":" JSON_LIST(
        "\"name\":{\"type\":\"string\"},\"offset\":{\"type\":\"integer\"},\"type\":{\"type\":"
        "\"integer\"}") ","
                        "\"data\":{\"type\":\"string\",\"contentEncoding\":\"base64\"}}}";

// Shapes ---------------------------------------------------------------------------------------------------------------------------

static const char g_steel[] = "\"color\":{\"r\":0.55,\"g\":0.62,\"b\":0.68,\"a\":1}";
static const char g_rope[] = "\"color\":{\"r\":0.95,\"g\":0.75,\"b\":0.2,\"a\":1}";

static void PutPose(Text* text, hwPose pose) {
    Put(text, "\"pose\":{");
    PutVector(text, "position", pose.p);
    Put(text, ",");
    PutTurn(text, "orientation", pose.q);
    Put(text, "}");
}

static void PutSolid(Text* text, const hwShapeDef* shape) {
    double d = 2.0 * shape->radius;
    hwVec3 size = shape->kind == HW_SHAPE_BOX      ? shape->size
                  : shape->kind == HW_SHAPE_SPHERE ? hwMakeVec3(d, d, d)
                                                   : hwMakeVec3(d, d, shape->length);
    Put(text, "{");
    PutPose(text, shape->pose);
    Put(text, ",");
    PutVector(text, "size", size);
    if (shape->kind == HW_SHAPE_CYLINDER || shape->kind == HW_SHAPE_CAPSULE)
        Put(text, ",\"bottom_scale\":1,\"top_scale\":1");
    PutFormat(text, ",%s}", g_steel);
}

static void PutTriangles(Text* text, const hwShapeDef* shape) {
    const hwMeshData* mesh = &shape->mesh;
    Put(text, "{");
    PutPose(text, shape->pose);
    Put(text, ",\"points\":[");
    for (int i = 0; i < mesh->vertexCount; ++i) {
        hwVec3 v = mesh->vertices[i];
        PutFormat(text, "%s{\"x\":%.9g,\"y\":%.9g,\"z\":%.9g}", i > 0 ? "," : "", v.x, v.y, v.z);
    }
    PutFormat(text, "],%s,\"colors\":[],\"indices\":[", g_steel);
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        PutFormat(text, "%s%d,%d,%d", i > 0 ? "," : "", t[0], t[1], t[2]);
    }
    Put(text, "]}");
}

// Cubes, spheres, cylinders and triangles of a body. A capsule is drawn as its cylinder.
static void PutShapes(Text* text, int count, const hwShapeDef* shapes) {
    static const char* const lists[] = {"cubes", "spheres", "cylinders", "triangles"};
    for (int list = 0; list < 4; ++list) {
        PutFormat(text, "%s\"%s\":[", list > 0 ? "," : "", lists[list]);
        bool any = false;
        for (int i = 0; i < count; ++i) {
            hwShapeKind kind = shapes[i].kind;
            int own = kind == HW_SHAPE_BOX                                    ? 0
                      : kind == HW_SHAPE_SPHERE                               ? 1
                      : kind == HW_SHAPE_CYLINDER || kind == HW_SHAPE_CAPSULE ? 2
                                                                              : 3;
            if (own != list) continue;
            if (any) Put(text, ",");
            any = true;
            if (list < 3) {
                PutSolid(text, &shapes[i]);
            } else {
                PutTriangles(text, &shapes[i]);
            }
        }
        Put(text, "]");
    }
}

static bool FindShapes(hwTopics* topics, const hwWorld* world) {
    int count = topics->objects.frameCount;
    topics->shapes = calloc((size_t)count + 1, sizeof(char*));
    if (topics->shapes == NULL) return false;
    for (int i = 0; world != NULL && i < count; ++i) {
        hwBodyId body = hwWorld_FindBody(world, topics->objects.frames[i].name);
        const hwBodyDef* def = HW_IS_NULL(body) ? NULL : hwBody_GetDef(world, body);
        if (def == NULL || def->shapeCount == 0) continue;
        Text text = {0};
        PutShapes(&text, def->shapeCount, def->shapes);
        topics->shapes[i] = text.text;
        if (text.failed) return false;
    }
    return true;
}

// Topics ---------------------------------------------------------------------------------------------------------------------------

static Topic* AddTopic(hwTopics* topics, TopicKind kind, const char* name, const char* schemaName) {
    if (topics->count == topics->capacity) {
        int capacity = topics->capacity > 0 ? 2 * topics->capacity : 8;
        Topic* items = realloc(topics->items, (size_t)capacity * sizeof(*items));
        if (items == NULL) return NULL;
        topics->items = items;
        topics->capacity = capacity;
    }
    Topic* topic = &topics->items[topics->count++];
    *topic = (Topic){.kind = kind, .tree = {.column = -1}};
    topic->name = strdup(name);
    topic->schemaName = strdup(schemaName);
    return topic->name != NULL && topic->schemaName != NULL ? topic : NULL;
}

static bool AddObjects(hwTopics* topics, const hwTopicsDef* def) {
    for (int i = 0; i < def->channelCount; ++i) {
        const char* name = def->channels[i].name;
        size_t length = strcspn(name, ".");
        char path[160], schema[180];
        snprintf(path, sizeof(path), "/%.*s", (int)(length < 120 ? length : 120), name);
        Topic* topic = NULL;
        for (int k = topics->count - 1; k >= 0 && topic == NULL; --k) {
            if (strcmp(topics->items[k].name, path) == 0) topic = &topics->items[k];
        }
        if (topic == NULL) {
            snprintf(schema, sizeof(schema), "hawser.%s", path + 1);
            topic = AddTopic(topics, TOPIC_OBJECT, path, schema);
        }
        const char* rest = name[length] == '.' ? name + length + 1 : "value";
        if (topic == NULL || !AddChannel(&topic->tree, rest, i)) return false;
    }
    for (int i = 0; i < topics->count; ++i) {
        Topic* topic = &topics->items[i];
        Text text = {0};
        if (!MoveValues(&topic->tree)) return false;
        PutSchema(&text, &topic->tree, def->channels);
        topic->schema = text.text;
        if (text.failed) return false;
    }
    return true;
}

static bool AddDrawing(hwTopics* topics) {
    if (topics->objects.frameCount > 0) {
        Topic* frames = AddTopic(topics, TOPIC_FRAMES, "/tf", "foxglove.FrameTransforms");
        if (frames == NULL || (frames->schema = strdup(g_framesSchema)) == NULL) return false;
    }
    if (topics->objects.frameCount > 0 || topics->objects.cableCount > 0) {
        Topic* scene = AddTopic(topics, TOPIC_SCENE, "/scene", "foxglove.SceneUpdate");
        Text text = {0};
        Put(&text, g_sceneSchema);
        Put(&text, g_sceneSchemaRest);
        if (scene == NULL) free(text.text);
        if (scene == NULL || text.failed) return false;
        scene->schema = text.text;
    }
    return true;
}

static bool HasFrame(const hwTopics* topics, const char* name) {
    for (int i = 0; i < topics->objects.frameCount; ++i) {
        const hwFrameColumns* frame = &topics->objects.frames[i];
        if (frame->attitude[0] >= 0 && strcmp(frame->name, name) == 0) return true;
    }
    return false;
}

static bool AddClouds(hwTopics* topics) {
    for (int i = 0; topics->clouds != NULL && i < hwSonarClouds_GetCount(topics->clouds); ++i) {
        hwSonarCloud cloud = hwSonarClouds_Get(topics->clouds, i);
        char path[400];
        snprintf(path, sizeof(path), "/%s/%s/points", cloud.parent, cloud.name + strlen(cloud.parent) + 1);
        Topic* topic = AddTopic(topics, TOPIC_CLOUD, path, "foxglove.PointCloud");
        if (topic == NULL || (topic->schema = strdup(g_cloudSchema)) == NULL) return false;
        topic->sonar = i;
        topic->framed = HasFrame(topics, cloud.parent);
    }
    return true;
}

hwTopicsDef hwDefaultTopicsDef(void) {
    return (hwTopicsDef){.cookie = COOKIE};
}

hwTopics* hwCreateTopics(const hwTopicsDef* def, hwError* error) {
    if (def == NULL || def->cookie != COOKIE || def->channelCount < 1 || def->channels == NULL) {
        hwResultsFail(error, HW_ERROR_ARGUMENT,
                      "Messages need a def from hwDefaultTopicsDef with at least one channel.");
        return NULL;
    }
    hwTopics* topics = calloc(1, sizeof(*topics));
    if (topics != NULL) topics->clouds = def->clouds;
    bool good = topics != NULL && hwResultObjects_Find(&topics->objects, def->channelCount, def->channels) &&
                FindShapes(topics, def->world) && AddObjects(topics, def) && AddDrawing(topics) &&
                AddClouds(topics);
    if (good) return topics;
    hwDestroyTopics(topics);
    hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %d channels.", def->channelCount);
    return NULL;
}

void hwDestroyTopics(hwTopics* topics) {
    if (topics == NULL) return;
    for (int i = 0; i < topics->count; ++i) {
        Topic* topic = &topics->items[i];
        FreeTree(&topic->tree);
        free(topic->name);
        free(topic->schemaName);
        free(topic->schema);
    }
    for (int i = 0; topics->shapes != NULL && i < topics->objects.frameCount; ++i) free(topics->shapes[i]);
    free(topics->shapes);
    hwResultObjects_Free(&topics->objects);
    free(topics->items);
    free(topics->message.text);
    free(topics);
}

int hwTopics_GetCount(const hwTopics* topics) {
    return topics->count;
}

hwTopicInfo hwTopics_GetInfo(const hwTopics* topics, int topic) {
    if (topic < 0 || topic >= topics->count) return (hwTopicInfo){"", "", ""};
    const Topic* item = &topics->items[topic];
    return (hwTopicInfo){item->name, item->schemaName, item->schema};
}

int hwTopics_GetSonar(const hwTopics* topics, int topic) {
    bool cloud = topic >= 0 && topic < topics->count && topics->items[topic].kind == TOPIC_CLOUD;
    return cloud ? topics->items[topic].sonar : -1;
}

uint64_t hwTopics_GetTime(const double* row) {
    return row[0] > 0.0 && row[0] < 9e9 ? (uint64_t)llround(1e9 * row[0]) : 0;
}

// Messages -------------------------------------------------------------------------------------------------------------------------

static void PutFrame(Text* text, const double* row, const char* parent, const char* name, hwPose pose) {
    Put(text, "{");
    PutTime(text, row);
    PutFormat(text, ",\"parent_frame_id\":\"%s\",\"child_frame_id\":\"%s\",", parent, name);
    PutVector(text, "translation", pose.p);
    Put(text, ",");
    PutTurn(text, "rotation", pose.q);
    Put(text, "}");
}

static void PutFrames(Text* text, const hwTopics* topics, const double* row) {
    Put(text, "{\"transforms\":[");
    for (int i = 0; i < topics->objects.frameCount; ++i) {
        const hwFrameColumns* frame = &topics->objects.frames[i];
        if (i > 0) Put(text, ",");
        PutFrame(text, row, "world", frame->name, hwFrameColumns_GetPose(frame, row));
    }
    for (int i = 0; i < topics->count; ++i) {
        if (!topics->items[i].framed) continue;
        hwSonarCloud cloud = hwSonarClouds_Get(topics->clouds, topics->items[i].sonar);
        Put(text, ",");
        PutFrame(text, row, cloud.parent, cloud.name, cloud.mounting);
    }
    Put(text, "]}");
}

// RFC 4648, 4.
static void PutBase64(Text* text, const unsigned char* data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!Reserve(text, 4 * ((size + 2) / 3))) return;
    char* out = text->text + text->size;
    for (size_t i = 0; i < size; i += 3) {
        size_t rest = size - i;
        uint32_t three = (uint32_t)data[i] << 16 | (uint32_t)(rest > 1 ? data[i + 1] : 0) << 8 |
                         (uint32_t)(rest > 2 ? data[i + 2] : 0);
        *out++ = digits[three >> 18];
        *out++ = digits[three >> 12 & 63];
        *out++ = rest > 1 ? digits[three >> 6 & 63] : '=';
        *out++ = rest > 2 ? digits[three & 63] : '=';
    }
    *out = 0;
    text->size = (size_t)(out - text->text);
}

// Points are four floats, little-endian as the schema asks for and as all machines are that this runs on.
static void PutCloud(Text* text, const hwTopics* topics, const Topic* topic, const double* row) {
    hwSonarCloud cloud = hwSonarClouds_Get(topics->clouds, topic->sonar);
    Put(text, "{");
    PutTime(text, isnan(cloud.time) ? row : &cloud.time);
    PutFormat(text, ",\"frame_id\":\"%s\",", topic->framed ? cloud.name : "world");
    PutPose(text, topic->framed ? hwPose_identity : cloud.pose);
    PutFormat(text, ",\"point_stride\":%d,\"fields\":[", (int)sizeof(hwSonarPoint));
    static const char* const names[] = {"x", "y", "z", "intensity"};
    for (int i = 0; i < 4; ++i) // 7: FLOAT32
        PutFormat(text, "%s{\"name\":\"%s\",\"offset\":%d,\"type\":7}", i > 0 ? "," : "", names[i], 4 * i);
    Put(text, "],\"data\":\"");
    PutBase64(text, (const unsigned char*)cloud.points, (size_t)cloud.count * sizeof(hwSonarPoint));
    Put(text, "\"}");
}

// What entities have besides what is drawn.
static void PutEntity(Text* text, const double* row, const char* frame, const char* name) {
    Put(text, "{");
    PutTime(text, row);
    PutFormat(text,
              ",\"frame_id\":\"%s\",\"id\":\"%s\",\"lifetime\":{\"sec\":0,\"nsec\":0},\"frame_locked\":true,"
              "\"metadata\":[],\"arrows\":[],\"texts\":[],\"models\":[],",
              frame, name);
}

static void PutCable(Text* text, const hwCableColumns* cable, const double* row) {
    PutEntity(text, row, "world", cable->name);
    Put(text, "\"cubes\":[],\"spheres\":[],\"cylinders\":[],\"triangles\":[],\"lines\":[{\"type\":0,");
    PutPose(text, (hwPose){hwVec3_zero, hwQuat_identity});
    Put(text, ",\"thickness\":2,\"scale_invariant\":true,\"points\":[");
    bool any = false;
    for (int i = 0; i < cable->count; ++i) {
        const int* at = cable->nodes[i];
        if (!isfinite(row[at[0]])) continue; // not paid out
        Put(text, any ? ",{\"x\":" : "{\"x\":");
        any = true;
        PutNumber(text, row[at[0]]);
        Put(text, ",\"y\":");
        PutNumber(text, row[at[1]]);
        Put(text, ",\"z\":");
        PutNumber(text, row[at[2]]);
        Put(text, "}");
    }
    PutFormat(text, "],%s,\"colors\":[],\"indices\":[]}]}", g_rope);
}

static void PutScene(Text* text, const hwTopics* topics, const double* row) {
    bool any = false;
    Put(text, "{\"deletions\":[],\"entities\":[");
    for (int i = 0; i < topics->objects.frameCount; ++i) {
        if (topics->shapes[i] == NULL) continue;
        if (any) Put(text, ",");
        any = true;
        const char* name = topics->objects.frames[i].name;
        PutEntity(text, row, name, name);
        Put(text, "\"lines\":[],");
        Put(text, topics->shapes[i]);
        Put(text, "}");
    }
    for (int i = 0; i < topics->objects.cableCount; ++i) {
        if (any) Put(text, ",");
        any = true;
        PutCable(text, &topics->objects.cables[i], row);
    }
    Put(text, "]}");
}

const char* hwTopics_Write(hwTopics* topics, int topic, const double* row, size_t* size) {
    if (topic < 0 || topic >= topics->count) return NULL;
    Text* text = &topics->message;
    text->size = 0;
    text->failed = false;
    switch (topics->items[topic].kind) {
    case TOPIC_OBJECT:
        PutValues(text, &topics->items[topic].tree, row);
        break;
    case TOPIC_FRAMES:
        PutFrames(text, topics, row);
        break;
    case TOPIC_SCENE:
        PutScene(text, topics, row);
        break;
    case TOPIC_CLOUD:
        PutCloud(text, topics, &topics->items[topic], row);
        break;
    }
    if (text->failed) return NULL;
    if (size != NULL) *size = text->size;
    return text->text;
}
