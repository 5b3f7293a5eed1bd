/// @file hawser.h
/// Everything in the core library.
#ifndef HAWSER_HAWSER_H
#define HAWSER_HAWSER_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/cable.h"
#include "hawser/contact.h"
#include "hawser/debug_draw.h"
#include "hawser/decompose.h"
#include "hawser/entanglement.h"
#include "hawser/environment.h"
#include "hawser/exchange.h"
#include "hawser/hydro.h"
#include "hawser/potential.h"
#include "hawser/instrument.h"
#include "hawser/lesson.h"
#include "hawser/look_ahead.h"
#include "hawser/math.h"
#include "hawser/mechanism.h"
#include "hawser/modes.h"
#include "hawser/profile.h"
#include "hawser/query.h"
#include "hawser/ranges.h"
#include "hawser/sensor.h"
#include "hawser/shape.h"
#include "hawser/sheave.h"
#include "hawser/signal.h"
#include "hawser/solver.h"
#include "hawser/sonar.h"
#include "hawser/spectrum.h"
#include "hawser/statistics.h"
#include "hawser/step_events.h"
#include "hawser/tether.h"
#include "hawser/vehicle.h"
#include "hawser/world.h"

#endif
