// What writer and reader of HDF5 results agree upon: names of objects and the fields of hwRunInfo as attributes.
#ifndef HW_IO_HDF5_LAYOUT_H
#define HW_IO_HDF5_LAYOUT_H

#include <stddef.h>

typedef enum hwRunFieldKind { HW_RUN_FIELD_TEXT, HW_RUN_FIELD_DOUBLE, HW_RUN_FIELD_COUNT } hwRunFieldKind;

// A member of hwRunInfo, stored as the attribute `name` of the root.
typedef struct hwRunField {
    const char* name;
    hwRunFieldKind kind;
    size_t offset, size;
} hwRunField;

#define HW_RUN_FIELD_TOTAL 20
extern const hwRunField hwRunFields[HW_RUN_FIELD_TOTAL];

#define HW_HDF5_FORMAT_NAME "hawser-results"

#endif
