// Who is aboard a flight, and who may do what: roles, controls, and the rule by which one hand at a time has each control.
// See docs/protocol.md, Crew. Everything here belongs to the server's thread.
#ifndef HW_SERVER_CREW_H
#define HW_SERVER_CREW_H

#include "apps/server/request.h"

struct hwWebServer;
struct hwWebConnection;
struct hwWebSlot;

// What a message needs: one of the controls of a flight.
hwWebControl hwWebCrew_GetControl(const hwWebRequest* request, const char* vehicle);

// The connection that has a control of a flight now; null: nobody.
struct hwWebConnection* hwWebCrew_FindHolder(struct hwWebServer* server, const struct hwWebSlot* slot,
                                             hwWebControl control);

// Whether a connection may send this to the session it is in; otherwise `sentence` says who has the control.
bool hwWebCrew_IsAllowed(struct hwWebServer* server, const struct hwWebSlot* slot,
                         const struct hwWebConnection* connection, const hwWebRequest* request,
                         char* sentence, size_t size);

// Tells everybody aboard who is there and who has what.
void hwWebCrew_Tell(struct hwWebServer* server, const struct hwWebSlot* slot);

// A connection has left: what it held goes to the next by rule, the tether to the automatic handler.
void hwWebCrew_Leave(struct hwWebServer* server, struct hwWebSlot* slot, const struct hwWebConnection* gone);

// join, invite, hand_over, take, give, say, comms, class; false: it is another message.
bool hwWebCrew_Carry(struct hwWebServer* server, struct hwWebConnection* connection,
                     const hwWebRequest* request);

#endif
