// Sections that more than one table uses.
#ifndef HW_IO_SCHEMA_SECTIONS_H
#define HW_IO_SCHEMA_SECTIONS_H

#include "schema.h"

extern const hwSection hwSection_attitude, hwSection_signal, hwSection_hydro, hwSection_shape, hwSection_drag;
extern const hwSection hwSection_environment;
extern const hwSection hwSection_body, hwSection_freeBase, hwSection_material, hwSection_contact;
extern const hwSection hwSection_cableDamping, hwSection_cableDrag, hwSection_cableAdded,
    hwSection_cableFatigue;
extern const hwSection hwSection_mechanism, hwSection_link, hwSection_tool, hwSection_cable, hwSection_winch,
    hwSection_vehicle;
extern const hwSection hwSection_lesson, hwSection_watch;
extern const hwSection hwSection_instrument, hwSection_vehicleInstrument;

#endif
