/// @file contact.h
/// What things are made of, what happens where they touch, and which pairs never do.
///
/// Everything with a shape touches everything else with a shape, cables and the seabed, except parent and child links of
/// a mechanism, shapes of one body, bodies that do not move by forces among themselves, a cable near its end with what
/// that end is attached to and with another cable that ends there, cables that lie in each other from the start, and what
/// the masks of hwFilter keep apart: a shape or cable whose mask is 0 touches nothing, the seabed included.
/// Statics sees cables on other cables, without friction, where the shapes that it finds without them would pass.
#ifndef HAWSER_CONTACT_H
#define HAWSER_CONTACT_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/cable.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a material. Zero is null.
typedef struct hwMaterialId {
    uint32_t index;      ///< one-based slot; 0 is null
    uint32_t generation; ///< tells a new object in a reused slot from the old one
} hwMaterialId;

/// How surfaces rub.
typedef enum hwFrictionModel {
    HW_FRICTION_KARNOPP, ///< sticks up to the static limit, slides at the kinetic one, sticks again when it has almost
                         ///< come to rest (Karnopp 1985)
    HW_FRICTION_LUGRE ///< bristles (Canudas de Wit et al. 1995): creeps a little under changing load
} hwFrictionModel;

/// A material. Start from hwDefaultMaterialDef(). Two materials act in series; of two coefficients of friction the
/// geometric mean counts, of two velocities, rolling and spinning coefficients the larger.
typedef struct hwMaterialDef {
    const char* name; ///< to which shapes and cable sections refer; "default" is for those that name none
    double young;     ///< Pa, modulus of elasticity
    double damping;   ///< Pa s: stress over rate of strain
    double staticFriction;  ///< coefficient while sticking
    double kineticFriction; ///< coefficient while sliding, at most the static one
    hwFrictionModel model;  ///< the contact uses LuGre when either material does
    double
        velocity; ///< m/s, above 0: slower than this a sliding contact sticks again; Stribeck's velocity of LuGre
    double rolling;  ///< m: resisting torque over normal force, for rolling
    double spinning; ///< m: the same for turning about the normal; 0: from the size of the area of contact
    double rateExponent; ///< stress grows with this power of the rate of strain; 1 unless given
    double hardening;    ///< stress is young strain (1 + hardening strain); 0 unless given
    double
        stribeck; ///< m/s: friction falls smoothly from static to kinetic over this sliding speed, as on wet
                  ///< decks; 0: it does not
    void* userData; ///< the caller's own; never read by the library
    int cookie;     ///< set by hwDefaultMaterialDef
} hwMaterialDef;

/// 1 GPa, 0.1 MPa s, friction 0.3: a hard plastic. What shapes and cables without a material are made of, unless the
/// world has a material called "default".
HW_API hwMaterialDef hwDefaultMaterialDef(void);

/// Adds a material. Names are checked against shapes and cables by Prepare.
HW_API hwStatus hwWorld_AddMaterial(hwWorld* world, const hwMaterialDef* def, hwError* error);
/// Finds a material by name. Null id when there is none.
HW_API hwMaterialId hwWorld_FindMaterial(const hwWorld* world, const char* name);
/// Materials in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetMaterials(const hwWorld* world, int capacity, hwMaterialId* materials);
/// True while the handle refers to a material of this world.
HW_API bool hwMaterial_IsValid(const hwWorld* world, hwMaterialId material);
/// The material as it was described, owned by the world; null for an invalid handle.
HW_API const hwMaterialDef* hwMaterial_GetDef(const hwWorld* world, hwMaterialId material);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwMaterial_GetUserData(const hwWorld* world, hwMaterialId material);
/// Replaces it. False for an invalid handle.
HW_API bool hwMaterial_SetUserData(hwWorld* world, hwMaterialId material, void* userData);

/// Two things that never touch, by name: a body, a vehicle, a mechanism or "mechanism.link", a cable, or "seabed"; a cable
/// or mechanism named twice does not touch itself. What is cut off a cable belongs to it. Names are checked by Prepare.
HW_API hwStatus hwWorld_IgnoreContact(hwWorld* world, const char* a, const char* b, hwError* error);

/// Channels for what passes between two things, named as for hwWorld_IgnoreContact: "a.contact.b.force.x", y, z on a by b,
/// "point", "elastic", "damping", "volume", "depth" and "count", summed up over all places where they touch. Names are
/// checked by Prepare.
HW_API hwStatus hwWorld_WatchContact(hwWorld* world, const char* a, const char* b, hwError* error);

/// What becomes of bodies that are in each other when a world is prepared, deeper than a quarter of the thinner one. In a scene:
/// `overlaps` of `contact`.
typedef enum hwOverlaps {
    HW_OVERLAPS_ACCEPT, ///< a warning names them; their contact comes to count within half a second, so that they part slowly
    HW_OVERLAPS_SEPARATE, ///< free bodies are moved apart by the shortest way, the lighter one more; a message names them
    HW_OVERLAPS_REFUSE ///< Prepare fails and names the first pair
} hwOverlaps;

/// Settings of contact in a world. Start from hwDefaultContactDef().
typedef struct hwContactDef {
    bool off;    ///< nothing touches anything; feet and cables on the bottom still do
    int reserve; ///< most pairs near each other at a time; 0: chosen by Prepare from what is in the world
    bool
        pressureCentre; ///< forces act where the compliance of the two materials puts the common surface, rather than
                        ///< at the centroid of the overlap
    bool
        bedPerShape; ///< the depth of the elastic bed is the radius of a sphere of the shape's volume, rather than of
                     ///< the whole body's
    bool cables; ///< cables touch each other and themselves, in up to 24 places at a time; true unless given
    hwOverlaps overlaps; ///< of bodies, when the world is prepared; accepted unless given
    int cookie;          ///< set by hwDefaultContactDef
} hwContactDef;

/// Memory as needed, forces at the centroid.
HW_API hwContactDef hwDefaultContactDef(void);
/// Replaces the settings; they count from the next Prepare on.
HW_API hwStatus hwWorld_SetContact(hwWorld* world, const hwContactDef* def, hwError* error);
/// The settings, owned by the world.
HW_API const hwContactDef* hwWorld_GetContactDef(const hwWorld* world);

/// Switches contact of two things, named as for hwWorld_IgnoreContact, off or on again while running; part of the state.
/// The world must be prepared.
HW_API hwStatus hwWorld_SwitchContact(hwWorld* world, const char* a, const char* b, bool on, hwError* error);

/// One contact, world axes. Numbers are of the world's time.
typedef struct hwContactView {
    const char* a;    ///< name of a body, link or cable
    const char* b;    ///< the other one, or "seabed"
    hwBodyId bodyA;   ///< the body or link a; null: it is a cable
    hwBodyId bodyB;   ///< the body or link b; null: it is a cable or the seabed
    hwCableId cableA; ///< the cable a; null: it is none
    hwCableId cableB; ///< the cable b; null: it is none
    int shapeA;       ///< index among the shapes of a, or -1: a cable, or a foot
    int shapeB;       ///< index among the shapes of b, or -1: a cable or the seabed
    int triangleA; ///< of the mesh or hull that shape a is, the one nearest to `point`; -1: it is neither, or convex
                   ///< `parts` touch in its place
    int triangleB;  ///< likewise of shape b, or of a seabed that is a heightfield or a mesh
    int elementA;   ///< element of the cable a, or -1
    int elementB;   ///< element of the cable b, or -1
    hwVec3 point;   ///< m
    hwVec3 normal;  ///< unit, from a to b
    hwVec3 force;   ///< N, on b; a gets the opposite
    double elastic; ///< N, of the normal force: what the deformation gives
    double damping; ///< N, of the normal force: what its rate gives
    double volume;  ///< m3, of the overlap
    double depth;   ///< m, of the overlap
    bool sliding;   ///< friction is at its limit
} hwContactView;

/// The contacts with a force or overlap now, in a fixed order. The array belongs to the world and is valid until that
/// changes. Returns how many there are.
HW_API int hwWorld_GetContacts(const hwWorld* world, const hwContactView** contacts);

#ifdef __cplusplus
}
#endif
#endif
