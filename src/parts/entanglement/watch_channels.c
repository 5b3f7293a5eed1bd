// Channels of watches: around.NAME of axes, through.NAME of loops, on.BODY of contact, entanglement of the whole.
#include "parts/entanglement/entanglement.h"
#include "record/channels.h"

#include <math.h>
#include <stdio.h>

// Pieces and bodies are numbered through all watches.
typedef struct Place {
    int watch, index;
} Place;

static Place FindPiece(const hwWorld* world, int number) {
    Place place = {0, number};
    while (place.index >= world->model.entanglement->watches[place.watch].pieceCount)
        place.index -= world->model.entanglement->watches[place.watch++].pieceCount;
    return place;
}

static Place FindBody(const hwWorld* world, int number) {
    Place place = {0, number};
    while (place.index >= world->model.entanglement->watches[place.watch].bodyCount)
        place.index -= world->model.entanglement->watches[place.watch++].bodyCount;
    return place;
}

enum { PIECE_NUMBER, PIECE_TURNS, PIECE_CERTAIN, PIECE_SINCE, PIECE_SIDE };

static double ReadPiece(const hwWorld* world, int number, int component) {
    Place place = FindPiece(world, number);
    const hwWatch* watch = &world->model.entanglement->watches[place.watch];
    if (!hwWorld_HasCable(world, watch->slot)) return (double)NAN;
    const hwWatchTools* tools = hwWatch_Measure(world, place.watch);
    hwTurnCount count = tools->counts[place.index];
    const hwPieceStore* store = &world->state.entanglement->watches[place.watch].pieces[place.index];
    switch (component) {
    case PIECE_NUMBER:
        return count.certain ? count.count : (double)NAN;
    case PIECE_TURNS:
        return hwWatch_GetTurns(world, place.watch, place.index);
    case PIECE_CERTAIN:
        return count.certain ? 1.0 : 0.0;
    case PIECE_SINCE:
        return store->number != 0 ? store->since : (double)NAN;
    default:
        return store->side;
    }
}

static double ReadBody(const hwWorld* world, int number, int component) {
    Place place = FindBody(world, number);
    if (!hwWorld_HasCable(world, world->model.entanglement->watches[place.watch].slot)) return (double)NAN;
    double exponent, wrap = hwWatch_GetWrap(world, place.watch, place.index, &exponent);
    return component == 0 ? wrap : hwExp(exponent);
}

enum {
    SUM_NUMBER,
    SUM_WORD,
    SUM_UNCERTAIN,
    SUM_FIRST,
    SUM_FIRST_TIME,
    SUM_WRAP,
    SUM_CAPSTAN,
    SUM_SLACK,
    SUM_BEND,
    SUM_BEND_MARGIN,
    SUM_TWIST,
    SUM_HOCKLE
};

static double ReadSummary(const hwWorld* world, int number, int component) {
    if (!hwWorld_HasCable(world, world->model.entanglement->watches[number].slot)) return (double)NAN;
    hwEntanglement all;
    hwWatch_Summarize(world, number, &all);
    const double values[] = {all.sum,        all.word,       all.uncertain, all.first,
                             all.firstTime,  all.wrap,       all.capstan,   all.slack,
                             all.bendRadius, all.bendMargin, all.twist,     all.hockle};
    return values[component];
}

static const hwChannelRow axisRows[] = {{"winding", "1", ReadPiece, PIECE_NUMBER},
                                        {"turns", "1", ReadPiece, PIECE_TURNS},
                                        {"certain", "1", ReadPiece, PIECE_CERTAIN},
                                        {"since", "s", ReadPiece, PIECE_SINCE},
                                        {"side", "1", ReadPiece, PIECE_SIDE}};
static const hwChannelRow loopRows[] = {{"linking", "1", ReadPiece, PIECE_NUMBER},
                                        {"certain", "1", ReadPiece, PIECE_CERTAIN},
                                        {"since", "s", ReadPiece, PIECE_SINCE},
                                        {"side", "1", ReadPiece, PIECE_SIDE}};
static const hwChannelRow bodyRows[] = {{"wrap", "rad", ReadBody, 0}, {"capstan", "1", ReadBody, 1}};
static const hwChannelRow sumRows[] = {{"sum", "1", ReadSummary, SUM_NUMBER},
                                       {"word", "1", ReadSummary, SUM_WORD},
                                       {"uncertain", "1", ReadSummary, SUM_UNCERTAIN},
                                       {"first", "1", ReadSummary, SUM_FIRST},
                                       {"first_time", "s", ReadSummary, SUM_FIRST_TIME},
                                       {"wrap", "rad", ReadSummary, SUM_WRAP},
                                       {"capstan", "1", ReadSummary, SUM_CAPSTAN},
                                       {"slack", "1", ReadSummary, SUM_SLACK},
                                       {"bend_radius", "m", ReadSummary, SUM_BEND},
                                       {"bend_margin", "1", ReadSummary, SUM_BEND_MARGIN},
                                       {"twist", "rad", ReadSummary, SUM_TWIST},
                                       {"hockle", "1", ReadSummary, SUM_HOCKLE}};

void hwWatches_AddChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    int piece = 0, body = 0;
    char name[192];
    for (int w = 0; w < model->entanglement->count; ++w) {
        const hwWatch* watch = &model->entanglement->watches[w];
        const char* cable = model->cables->slots[watch->slot].name;
        snprintf(name, sizeof(name), "%s.entanglement", cable);
        hwTable_AddChannels(builder, name, HW_ROW_COUNT(sumRows), sumRows, w);
        for (int i = 0; i < watch->pieceCount; ++i, ++piece) {
            bool axis = watch->pieces[i].isAxis;
            snprintf(name, sizeof(name), "%s.%s.%s", cable, axis ? "around" : "through",
                     watch->pieces[i].name);
            hwTable_AddChannels(builder, name, axis ? HW_ROW_COUNT(axisRows) : HW_ROW_COUNT(loopRows),
                                axis ? axisRows : loopRows, piece);
        }
        for (int i = 0; i < watch->bodyCount; ++i, ++body) {
            snprintf(name, sizeof(name), "%s.on.%s", cable, watch->bodies[i].object->def.name);
            hwTable_AddChannels(builder, name, HW_ROW_COUNT(bodyRows), bodyRows, body);
        }
    }
}
