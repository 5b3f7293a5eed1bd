// A scene with everything that it names in one folder, for programs that take it along.
#define _XOPEN_SOURCE 700
#include "mesh_soup.h"
#include "named_file.h"
#include "scene_include.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_PACKED_BYTES ((size_t)2 << 30)
static const char g_magic[16] = "hawser mesh 1\n";

bool hwReader_NoteFile(hwReader* reader, const hwYaml* node, const char* path) {
    hwSceneFiles* files = reader->files;
    if (files == NULL) return true;
    if (files->count == files->capacity) {
        int capacity = files->capacity > 0 ? 2 * files->capacity : 8;
        hwSceneFile* items = hwReader_Take(reader, (size_t)capacity, sizeof(*items));
        if (items == NULL) return false;
        if (files->count > 0) memcpy(items, files->items, (size_t)files->count * sizeof(*items));
        files->items = items;
        files->capacity = capacity;
    }
    files->items[files->count++] = (hwSceneFile){.node = node, .path = path};
    return true;
}

void hwReader_NoteMesh(hwReader* reader, const char* path, const hwMeshData* mesh) {
    for (int i = 0; reader->files != NULL && i < reader->files->count; ++i) {
        hwSceneFile* file = &reader->files->items[i];
        if (file->path != path) continue;
        file->isMesh = true;
        file->mesh = *mesh;
    }
}

// Meshes -----------------------------------------------------------------------------------------------------------------

// Numbers as bytes from the least, whatever the machine.
static void PutNumber(unsigned char* out, uint64_t bits, int size) {
    for (int i = 0; i < size; ++i) out[i] = (unsigned char)(bits >> (8 * i));
}

static uint64_t TakeNumber(const unsigned char* in, int size) {
    uint64_t bits = 0;
    for (int i = 0; i < size; ++i) bits |= (uint64_t)in[i] << (8 * i);
    return bits;
}

static bool WriteMesh(FILE* file, const hwMeshData* mesh) {
    unsigned char head[8], row[24];
    bool good = fwrite(g_magic, sizeof(g_magic), 1, file) == 1;
    PutNumber(head, (uint64_t)mesh->vertexCount, 4);
    PutNumber(head + 4, (uint64_t)mesh->triangleCount, 4);
    good = good && fwrite(head, sizeof(head), 1, file) == 1;
    for (int i = 0; good && i < mesh->vertexCount; ++i) {
        double numbers[3] = {mesh->vertices[i].x, mesh->vertices[i].y, mesh->vertices[i].z};
        for (int k = 0; k < 3; ++k) {
            uint64_t bits;
            memcpy(&bits, &numbers[k], sizeof(bits));
            PutNumber(row + 8 * k, bits, 8);
        }
        good = fwrite(row, 24, 1, file) == 1;
    }
    for (int i = 0; good && i < mesh->triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) PutNumber(row + 4 * k, (uint64_t)mesh->triangles[i][k], 4);
        good = fwrite(row, 12, 1, file) == 1;
    }
    return good;
}

bool hwReadPackedMesh(hwReader* reader, const hwYaml* node, const char* name, const char* path,
                      hwMeshData* out) {
    size_t size = 0;
    const unsigned char* bytes = (const unsigned char*)hwReadFileText(
        reader->store, path, MOST_PACKED_BYTES, node->line, node->column, &size, reader->error);
    if (bytes == NULL) return false;
    const size_t head = sizeof(g_magic) + 8;
    bool known = size >= head && memcmp(bytes, g_magic, sizeof(g_magic)) == 0;
    uint64_t points = known ? TakeNumber(bytes + sizeof(g_magic), 4) : 0;
    uint64_t faces = known ? TakeNumber(bytes + sizeof(g_magic) + 4, 4) : 0;
    known = known && points > 0 && points <= 3u * HW_MESH_MOST_TRIANGLES && faces > 0 &&
            faces <= HW_MESH_MOST_TRIANGLES && size == head + 24 * (size_t)points + 12 * (size_t)faces;
    if (!known) return hwReader_Fail(reader, node, "`%s` is not a mesh as hwScene_Pack writes them", name);
    hwVec3* vertices = hwReader_Take(reader, (size_t)points, sizeof(*vertices));
    int(*triangles)[3] = vertices != NULL ? hwReader_Take(reader, (size_t)faces, sizeof(*triangles)) : NULL;
    if (triangles == NULL) return false;
    const unsigned char* at = bytes + head;
    for (uint64_t i = 0; i < points; ++i, at += 24) {
        double numbers[3];
        for (int k = 0; k < 3; ++k) {
            uint64_t bits = TakeNumber(at + 8 * k, 8);
            memcpy(&numbers[k], &bits, sizeof(bits));
        }
        vertices[i] = hwMakeVec3(numbers[0], numbers[1], numbers[2]);
        if (!hwIsFiniteVec3(vertices[i]))
            return hwReader_Fail(reader, node, "`%s` holds coordinates that are not finite", name);
    }
    for (uint64_t i = 0; i < faces; ++i, at += 12) {
        for (int k = 0; k < 3; ++k) {
            uint64_t corner = TakeNumber(at + 4 * k, 4);
            if (corner >= points)
                return hwReader_Fail(reader, node, "`%s` holds a triangle with a corner that is not there",
                                     name);
            triangles[i][k] = (int)corner;
        }
    }
    *out = (hwMeshData){0};
    out->vertexCount = (int)points;
    out->vertices = vertices;
    out->triangleCount = (int)faces;
    out->triangles = (const int(*)[3])triangles;
    hwReader_NoteMesh(reader, path, out);
    return true;
}

// The folder -------------------------------------------------------------------------------------------------------------

typedef struct Packer {
    const hwScene* scene;
    const char* folder;
    hwStore store;
    hwError* error;
} Packer;

static bool FailFile(Packer* p, const char* path) {
    char quoted[120];
    hwSceneFail(p->error, HW_ERROR_FILE, 0, 0, "`%s` cannot be written: %s",
                hwQuoteText(quoted, sizeof(quoted), path), strerror(errno));
    return false;
}

static bool FailMemory(Packer* p) {
    hwSceneFail_Memory(p->error);
    return false;
}

static bool MakeFolder(Packer* p, const char* path) {
    return mkdir(path, 0777) == 0 || errno == EEXIST || FailFile(p, path);
}

static char* Join(Packer* p, const char* name) {
    size_t size = strlen(p->folder) + strlen(name) + 2;
    char* path = hwStore_Take(&p->store, size, 1);
    if (path == NULL) {
        FailMemory(p);
        return NULL;
    }
    snprintf(path, size, "%s/%s", p->folder, name);
    return path;
}

// Writes `size` bytes, or the mesh when there is one.
static bool WriteFile(Packer* p, const char* name, const char* text, size_t size, const hwMeshData* mesh) {
    const char* path = Join(p, name);
    if (path == NULL) return false;
    FILE* file = fopen(path, "wb");
    if (file == NULL) return FailFile(p, path);
    bool good = mesh != NULL ? WriteMesh(file, mesh) : fwrite(text, 1, size, file) == size;
    good = fclose(file) == 0 && good;
    return good || FailFile(p, path);
}

static bool CopyFile(Packer* p, const char* from, const char* name) {
    size_t size = 0;
    const char* text = hwReadFileText(&p->store, from, MOST_PACKED_BYTES, 0, 0, &size, p->error);
    return text != NULL && WriteFile(p, name, text, size, NULL);
}

// A vehicle's file with the parts that it includes.
static bool CopyVehicle(Packer* p, const char* from, const char* name) {
    hwFileText file;
    hwIncludedPart* parts;
    if (!hwReadFile(&p->store, from, &file, p->error)) return false;
    hwYaml* root = hwYaml_Parse(&p->store, file.text, file.size, p->error);
    if (root == NULL || !hwYaml_IncludeParts(&p->store, root, file.folder, &parts, p->error)) return false;
    if (parts == NULL) return WriteFile(p, name, file.text, file.size, NULL);
    char* text = hwYaml_Write(root);
    if (text == NULL) return FailMemory(p);
    bool good = WriteFile(p, name, text, strlen(text), NULL);
    free(text);
    return good;
}

static const char* BaseName(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// A file that the scene names goes into the folder under a name of its own: two may have the same one in other folders.
static const char* PackFile(Packer* p, int index) {
    const hwSceneFile* file = &p->scene->files.items[index];
    const char* base = BaseName(file->path);
    size_t size = strlen(base) + 32;
    char* name = hwStore_Take(&p->store, size, 1);
    if (name == NULL) {
        FailMemory(p);
        return NULL;
    }
    const char* dot = strrchr(base, '.');
    int stem = file->isMesh && dot != NULL ? (int)(dot - base) : (int)strlen(base);
    snprintf(name, size, "%d_%.*s%s", index, stem, base, file->isMesh ? ".hmesh" : "");
    bool good = file->isMesh ? WriteFile(p, name, NULL, 0, &file->mesh) : CopyFile(p, file->path, name);
    return good ? name : NULL;
}

// A cable or vehicle by name or path, when it is a file and none of those that come with Hawser: its new name; or null, with
// `failed` set when something went wrong.
static const char* PackNamed(Packer* p, const char* kind, const char* text, bool* failed) {
    static const char* const places[] = {"", "../", "../../"};
    size_t length = strlen(text);
    bool isPath = length > 5 && strcmp(text + length - 5, ".yaml") == 0;
    size_t size = (p->scene->folder != NULL ? strlen(p->scene->folder) : 0) + length + 48;
    char* from = hwStore_Take(&p->store, size, 1);
    char* name = hwStore_Take(&p->store, size, 1);
    *failed = from == NULL || name == NULL;
    if (*failed) {
        FailMemory(p);
        return NULL;
    }
    bool found = false;
    if (isPath) {
        bool rooted = text[0] == '/';
        snprintf(from, size, "%s%s%s", rooted ? "" : p->scene->folder, rooted ? "" : "/", text);
        found = access(from, R_OK) == 0;
    }
    for (size_t i = 0;
         !isPath && strchr(text, '/') == NULL && i < sizeof(places) / sizeof(places[0]) && !found; ++i) {
        snprintf(from, size, "%s/%s%s/%s.yaml", p->scene->folder, places[i], kind, text);
        found = access(from, R_OK) == 0;
    }
    if (!found) return NULL;
    snprintf(name, size, "%s", kind);
    const char* folder = Join(p, name);
    *failed = folder == NULL || !MakeFolder(p, folder);
    snprintf(name, size, "%s/%s", kind, BaseName(from));
    bool vehicle = strcmp(kind, "vehicles") == 0;
    *failed = *failed || !(vehicle ? CopyVehicle(p, from, name) : CopyFile(p, from, name));
    return isPath ? name : text;
}

// A copy of the tree in which files have their new names. Null: it failed.
static hwYaml* CopyTree(Packer* p, const hwYaml* node) {
    hwYaml* copy = HW_STORE_TAKE(&p->store, hwYaml, 1);
    if (copy == NULL) {
        FailMemory(p);
        return NULL;
    }
    *copy = *node;
    copy->first = NULL;
    copy->next = NULL;
    for (int i = 0; i < p->scene->files.count; ++i) {
        if (p->scene->files.items[i].node != node) continue;
        copy->text = PackFile(p, i);
        if (copy->text == NULL) return NULL;
        copy->quoted = true;
    }
    const char* key = node->kind == HW_YAML_SCALAR && node->key != NULL ? node->key->text : "";
    bool cable = strcmp(key, "type") == 0, vehicle = strcmp(key, "model") == 0;
    if (p->scene->folder != NULL && (cable || vehicle)) {
        bool failed;
        const char* name = PackNamed(p, cable ? "cables" : "vehicles", node->text, &failed);
        if (failed) return NULL;
        if (name != NULL) copy->text = name;
    }
    hwYaml** link = &copy->first;
    for (const hwYaml* child = node->first; child != NULL; child = child->next) {
        *link = CopyTree(p, child);
        if (*link == NULL) return NULL;
        link = &(*link)->next;
    }
    return copy;
}

hwStatus hwScene_Pack(const hwScene* scene, const char* folder, hwError* error) {
    hwError own;
    Packer p = {.scene = scene, .folder = folder, .error = error != NULL ? error : &own};
    memset(p.error, 0, sizeof(*p.error));
    p.error->index = -1;
    p.error->time = (double)NAN;
    hwStore_Init(&p.store, NULL);
    hwYaml* tree = MakeFolder(&p, folder) ? CopyTree(&p, scene->root) : NULL;
    char* text = tree != NULL ? hwYaml_Write(tree) : NULL;
    bool good = text != NULL && WriteFile(&p, "scene.yaml", text, strlen(text), NULL);
    if (tree != NULL && text == NULL) FailMemory(&p);
    free(text);
    hwStore_Free(&p.store);
    return good ? HW_OK : p.error->status;
}
