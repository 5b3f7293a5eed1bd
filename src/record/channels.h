// The quantities behind channels and inputs.
#ifndef HW_RECORD_CHANNELS_H
#define HW_RECORD_CHANNELS_H

typedef enum hwQuantity {
    HW_QUANTITY_TIME,
    HW_QUANTITY_STEPS,
    HW_QUANTITY_ENERGY, // component: 0 total, 1 kinetic, 2 potential, 3 elastic, 4 dissipated, 5 work, 6 balance
    HW_QUANTITY_ELEVATION, // object: wave gauge
    HW_QUANTITY_POSITION,
    HW_QUANTITY_ATTITUDE,
    HW_QUANTITY_VELOCITY,
    HW_QUANTITY_RATE,
    HW_QUANTITY_ACCELERATION,
    HW_QUANTITY_SUBMERGED,
    HW_QUANTITY_JOINT_Q, // object: joint; the next three likewise
    HW_QUANTITY_JOINT_QD,
    HW_QUANTITY_JOINT_QDD,
    HW_QUANTITY_JOINT_EFFORT,
    HW_QUANTITY_FOOT_FORCE, // object: link
    HW_QUANTITY_CONTACT,    // object: link; component: see hwWorld_ReadContactChannel
    HW_QUANTITY_PAIR,       // object: pair that is watched; likewise
    HW_QUANTITY_BASE,       // object: mechanism; component: three each of position, attitude, velocity, rate
    HW_QUANTITY_VEHICLE,    // object: vehicle; component: hwVehicleChannel
    HW_QUANTITY_CABLE_LENGTH,   // object: slot
    HW_QUANTITY_CABLE_CONTACTS, // object: slot
    HW_QUANTITY_CABLE_WRAP,     // object: slot
    HW_QUANTITY_CABLE_ENERGY, // object: slot; component: kinetic, potential, elastic, dissipated, work, balance, mechanical,
                              // accumulated
    HW_QUANTITY_CABLE_LINKS,   // object: slot; component: mean, low, high, target, error
    HW_QUANTITY_CABLE_TENSION, // object: 2 * slot + end
    HW_QUANTITY_CABLE_FORCE,   // object: 2 * slot + end
    HW_QUANTITY_CABLE_MOMENT,  // object: 2 * slot + end
    HW_QUANTITY_NODE_POSITION, // object: first node of the slot among all, plus node; the next three likewise
    HW_QUANTITY_NODE_VELOCITY,
    HW_QUANTITY_NODE_CURVATURE,
    HW_QUANTITY_NODE_CONTACT, // likewise
    HW_QUANTITY_NODE_ENERGY,  // likewise; component: kinetic, potential, accumulated
    HW_QUANTITY_ELEMENT,      // object: likewise, by its first node; component: tension, length, twist
    HW_QUANTITY_WINCH,        // object: winch; component: rate, tension
    HW_QUANTITY_SHEAVE,       // object: sheave; component: rate, passed, angle
    // inputs
    HW_INPUT_CURRENT,
    HW_INPUT_WIND,
    HW_INPUT_FORCE,
    HW_INPUT_TORQUE,
    HW_INPUT_JOINT,   // object: joint; component: index among its inputs
    HW_INPUT_VEHICLE, // object: vehicle; component: index among its inputs
    HW_INPUT_WINCH    // object: winch; component: index among its inputs
} hwQuantity;

typedef enum hwVehicleChannel {
    HW_VEHICLE_CHANNEL_DEPTH,
    HW_VEHICLE_CHANNEL_HEADING,
    HW_VEHICLE_CHANNEL_ROLL,
    HW_VEHICLE_CHANNEL_PITCH,
    HW_VEHICLE_CHANNEL_ALTITUDE,
    HW_VEHICLE_CHANNEL_SPEED,
    HW_VEHICLE_CHANNEL_TURNS,
    HW_VEHICLE_CHANNEL_TENSION,
    HW_VEHICLE_CHANNEL_WATER_X,
    HW_VEHICLE_CHANNEL_WATER_Y,
    HW_VEHICLE_CHANNEL_WATER_Z,
    HW_VEHICLE_CHANNEL_SURGE,
    HW_VEHICLE_CHANNEL_SWAY,
    HW_VEHICLE_CHANNEL_HEAVE,
    HW_VEHICLE_CHANNEL_YAW,
    HW_VEHICLE_CHANNEL_ARMED,
    HW_VEHICLE_CHANNEL_MODE,
    HW_VEHICLE_CHANNEL_GAIN,
    HW_VEHICLE_CHANNEL_TARGET_DEPTH,
    HW_VEHICLE_CHANNEL_TARGET_HEADING,
    HW_VEHICLE_CHANNEL_LIGHTS,
    HW_VEHICLE_CHANNEL_TILT,
    HW_VEHICLE_CHANNEL_ZOOM,
    HW_VEHICLE_CHANNEL_GRIPPER,
    HW_VEHICLE_CHANNEL_SATURATED,
    HW_VEHICLE_CHANNEL_FAILED,
    HW_VEHICLE_CHANNEL_HELD,
    HW_VEHICLE_CHANNEL_THRUSTERS // of each: force, command, speed
} hwVehicleChannel;

#endif
