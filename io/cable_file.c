// Reading cable files, and finding them.
#include "cable_file.h"

#include "named_file.h"
#include "scene_read.h"
#include "schema_sections.h"

#include <string.h>

// The files in cables/, made into arrays by the build.
extern const hwEmbeddedFile hwCableFiles[];
extern const int hwCableFiles_count;
static const hwNamedFiles library = {"cable", "cables", hwCableFiles, &hwCableFiles_count};

static const hwKey cableFileKeys[] = {
    {.name = "hawser_cable",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwCableFile, version),
     .flags = HW_KEY_REQUIRED,
     .range = HW_RANGE(1, 1),
     .example = "1",
     .doc = "version of this format"},
    {.name = "title",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwCableFile, title),
     .flags = HW_KEY_REQUIRED,
     .example = "steel wire rope, 24 mm",
     .doc = "what it is called"},
    {.name = "source",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwCableFile, source),
     .flags = HW_KEY_REQUIRED,
     .example = "EN 12385-4",
     .doc = "where the numbers come from"},
    {.name = "diameter",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.diameter),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "0.024",
     .doc = "for buoyancy and drag"},
    {.name = "mass_per_length",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.massPerLength),
     .flags = HW_KEY_REQUIRED,
     .unit = "kg/m",
     .range = HW_ABOVE(0),
     .example = "2.36",
     .doc = "in air"},
    {.name = "EA",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.EA),
     .flags = HW_KEY_REQUIRED,
     .unit = "N",
     .range = HW_ABOVE(0),
     .example = "2e7",
     .doc = "axial stiffness"},
    {.name = "EI",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.EI),
     .unit = "N m²",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "10",
     .doc = "bending stiffness"},
    {.name = "GJ",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.GJ),
     .unit = "N m²",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "10",
     .doc = "torsional stiffness"},
    {.name = "damping",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwCableFile, section.damping),
     .flags = HW_KEY_ALWAYS,
     .section = &hwSection_cableDamping,
     .example = "{axial: 1e3}",
     .doc = "inside the cable"},
    {.name = "drag",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwCableFile, section.drag),
     .flags = HW_KEY_ALWAYS,
     .section = &hwSection_cableDrag,
     .example = "{normal: 1.2}",
     .doc = "resistance of the water"},
    {.name = "added_mass",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwCableFile, section.addedMass),
     .flags = HW_KEY_ALWAYS,
     .section = &hwSection_cableAdded,
     .example = "{normal: 1}",
     .doc = "water that moves along"},
    {.name = "compression",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.compression),
     .range = HW_RANGE(0, 1),
     .fallback = "0",
     .example = "1",
     .doc = "fraction of EA that acts when it is shortened"},
    {.name = "break",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.breakLoad),
     .unit = "N",
     .range = HW_ABOVE_OR_INF(0),
     .fallback = ".inf",
     .example = "1e5",
     .doc = "least breaking tension"},
    {.name = "bend_radius",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwCableFile, section.bendRadius),
     .unit = "m",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "0.3",
     .doc = "least allowed, in use"},
    {.name = "fatigue",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwCableFile, section.fatigue),
     .section = &hwSection_cableFatigue,
     .example = "{slope: 3, log_a: 11.764, tension: 2.5e-3}",
     .doc = "fatigue strength: its S-N curve"},
};

const hwSection hwSection_cableFile = {.title = "a cable file",
                                       .heading = "The cable",
                                       .size = sizeof(hwCableFile),
                                       HW_KEYS(cableFileKeys),
                                       .doc = "Mass and stiffness are per unstretched length."};

static bool Parse(hwStore* store, const char* text, size_t size, hwCableFile* file, hwError* error) {
    hwSceneWarnings warnings = {0};
    hwReader reader = {.store = store, .error = error, .components = 1, .warnings = &warnings};
    const hwYaml* root = hwYaml_Parse(store, text, size, error);
    memset(file, 0, sizeof(*file));
    return root != NULL && hwReadSection(&reader, &hwSection_cableFile, root, file);
}

bool hwLoadCableFile(hwStore* store, const char* name, const char* folder, hwCableFile* file,
                     hwError* error) {
    hwStore own;
    hwStore_Init(&own, NULL);
    hwFileText found;
    bool good = hwReadNamedFile(&own, &library, name, folder, &found, error) &&
                Parse(store, found.text, found.size, file, error);
    hwStore_Free(&own);
    return good;
}

int hwCableFile_GetBuiltInCount(void) {
    return hwCableFiles_count;
}

const char* hwCableFile_GetBuiltIn(int index) {
    return index >= 0 && index < hwCableFiles_count ? hwCableFiles[index].name : NULL;
}

// Sections of a scene ------------------------------------------------------------------------------------------------------

static void Inherit(const hwYaml* node, const char* key, double* own, double common) {
    if (node == NULL || hwYaml_Find(node, key) == NULL) *own = common;
}

bool hwInheritCableFile(hwReader* reader, const hwYaml* node, hwSceneCableSection* section) {
    hwCableFile file;
    hwError error;
    if (!hwLoadCableFile(reader->store, section->type, reader->folder, &file, &error)) {
        const hwYaml* type = hwYaml_Find(node, "type");
        if (error.status == HW_ERROR_MEMORY) return hwReader_FailMemory(reader);
        if (error.line > 0) {
            return hwReader_Fail(reader, type, "cable `%s`, line %d: %.200s", section->type, error.line,
                                 error.message);
        }
        return hwReader_Fail(reader, type, "%.240s", error.message);
    }
    const hwSceneCableSection* common = &file.section;
    const hwYaml* damping = hwYaml_Find(node, "damping");
    const hwYaml* drag = hwYaml_Find(node, "drag");
    const hwYaml* added = hwYaml_Find(node, "added_mass");
    Inherit(node, "diameter", &section->diameter, common->diameter);
    if (hwYaml_Find(node, "density") == NULL)
        Inherit(node, "mass_per_length", &section->massPerLength, common->massPerLength);
    Inherit(node, "EA", &section->EA, common->EA);
    Inherit(node, "EI", &section->EI, common->EI);
    Inherit(node, "GJ", &section->GJ, common->GJ);
    Inherit(damping, "axial", &section->damping.axial, common->damping.axial);
    Inherit(damping, "bending", &section->damping.bending, common->damping.bending);
    Inherit(damping, "torsion", &section->damping.torsion, common->damping.torsion);
    Inherit(drag, "normal", &section->drag.normal, common->drag.normal);
    Inherit(drag, "tangential", &section->drag.tangential, common->drag.tangential);
    Inherit(added, "normal", &section->addedMass.normal, common->addedMass.normal);
    Inherit(added, "tangential", &section->addedMass.tangential, common->addedMass.tangential);
    Inherit(node, "compression", &section->compression, common->compression);
    Inherit(node, "break", &section->breakLoad, common->breakLoad);
    Inherit(node, "bend_radius", &section->bendRadius, common->bendRadius);
    if (hwYaml_Find(node, "fatigue") == NULL) section->fatigue = common->fatigue;
    return true;
}
