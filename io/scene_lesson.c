// From the section `lesson` to what users see of it.
#include "pilot_file.h"
#include "scene_place.h"
#include "scene_read.h"

#include <math.h>
#include <string.h>

const hwFieldKey hwLessonKeys[] = {{NULL, NULL}};

bool hwCheckCondition(hwReader* reader, const hwYaml* node, void* item) {
    (void)reader;
    hwSceneCondition* condition = item;
    if (hwYaml_Find(node, "above") == NULL) condition->above = -(double)INFINITY;
    if (hwYaml_Find(node, "below") == NULL) condition->below = (double)INFINITY;
    return true;
}

bool hwCheckObjective(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneObjective* objective = item;
    const hwYaml* heading = hwYaml_Find(node, "heading");
    if (heading == NULL) heading = hwYaml_Find(node, "heading_deg");
    if (heading == NULL) objective->heading = (double)NAN;
    hwVec3 way = objective->gate.direction;
    if (objective->gate.place.line > 0 && !(hwLength(way) > 0.0)) {
        return hwReader_Fail(reader, hwYaml_Find(hwYaml_Find(node, "gate"), "direction"),
                             "`direction` must not be zero");
    }
    const hwYaml* look = hwYaml_Find(node, "look");
    if (look != NULL && !(objective->look.nearest < objective->look.farthest)) {
        const hwYaml* bound = hwYaml_Find(look, "near");
        if (bound == NULL) bound = hwYaml_Find(look, "far");
        return hwReader_Fail(reader, bound != NULL ? bound : look,
                             "`near` must be less than `far`, they are %g and %g m", objective->look.nearest,
                             objective->look.farthest);
    }
    if (objective->conditions.count > 8)
        return hwReader_Fail(reader, hwYaml_Find(node, "conditions"),
                             "an objective has at most 8 conditions");
    if (objective->controls.count > 8)
        return hwReader_Fail(reader, hwYaml_Find(node, "controls"), "an objective has at most 8 controls");
    return true;
}

bool hwCheckProbes(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneProbes* probes = item;
    if (probes->obstacles.count > HW_LESSON_MAX_OBSTACLES) {
        return hwReader_Fail(reader, hwYaml_Find(node, "obstacles"),
                             "probes have at most %d obstacles, not %d", HW_LESSON_MAX_OBSTACLES,
                             probes->obstacles.count);
    }
    return true;
}

bool hwCheckLessonError(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneLessonError* error = item;
    const hwYaml* steps = hwYaml_Find(node, "steps");
    if (steps != NULL && !error->steps) return hwReader_Fail(reader, steps, "`steps` is true or is left out");
    return true;
}

bool hwCheckLesson(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneLesson* lesson = item;
    if (lesson->objectives.count > HW_LESSON_MAX_OBJECTIVES) {
        return hwReader_Fail(reader, hwYaml_Find(node, "objectives"),
                             "a lesson has at most %d objectives, not %d", HW_LESSON_MAX_OBJECTIVES,
                             lesson->objectives.count);
    }
    const hwYaml* pilot = hwYaml_Find(node, "pilot");
    if (pilot != NULL && lesson->handler == HW_HANDLER_AUTO && hwYaml_Find(node, "handler") != NULL)
        return hwReader_Fail(reader, hwYaml_Find(node, "handler"),
                             "a lesson with a `pilot` is the handler's: `handler` is `manual`");
    if (pilot != NULL) lesson->handler = HW_HANDLER_MANUAL;
    if (hwYaml_Find(node, "limit") == NULL) lesson->limit = 4.0 * lesson->par;
    if (hwYaml_Find(node, "hints") == NULL) lesson->hints = lesson->aids != HW_AIDS_INSTRUMENTS;
    double last = 0.0;
    for (int i = 0; i < lesson->faults.count; i++) {
        const hwSceneFault* fault = HW_ITEM(lesson->faults, hwSceneFault, i);
        if (fault->time < last) {
            return hwReader_FailAt(reader, fault->place.line, fault->place.column,
                                   "faults must be in the order of their times; this one is at %g s",
                                   fault->time);
        }
        last = fault->time;
    }
    return true;
}

static bool FailMissing(hwReader* reader, const hwRef* ref, const char* what) {
    return hwReader_FailAt(reader, ref->line, ref->column, "there is no %s `%.60s`", what, ref->text);
}

static bool FindVehicle(hwReader* reader, const hwSceneModel* model, hwLessonDef* def) {
    const hwRef* ref = &model->lesson.vehicle;
    def->vehicle = NULL;
    for (int i = 0; i < model->vehicles.count && def->vehicle == NULL; i++) {
        const char* name = HW_ITEM(model->vehicles, hwSceneVehicle, i)->name;
        if (ref->text == NULL || strcmp(ref->text, name) == 0) def->vehicle = name;
    }
    return ref->text == NULL || def->vehicle != NULL || FailMissing(reader, ref, "vehicle");
}

static bool IsOn(const hwRef* on, const char* vehicle) {
    return on->text != NULL && vehicle != NULL && strcmp(on->text, vehicle) == 0;
}

static bool FindTether(hwReader* reader, const hwSceneModel* model, hwLessonDef* def) {
    const hwRef* ref = &model->lesson.cable;
    for (int i = 0; i < model->cables.count && def->cable == NULL; i++) {
        const hwSceneCable* cable = HW_ITEM(model->cables, hwSceneCable, i);
        bool wanted = ref->text != NULL
                          ? strcmp(ref->text, cable->name) == 0
                          : IsOn(&cable->ends.a.on, def->vehicle) || IsOn(&cable->ends.b.on, def->vehicle);
        if (wanted) def->cable = cable->name;
    }
    if (ref->text != NULL && def->cable == NULL) return FailMissing(reader, ref, "cable");
    for (int i = 0; i < model->winches.count && def->winch == NULL; i++) {
        const hwSceneWinch* winch = HW_ITEM(model->winches, hwSceneWinch, i);
        bool wanted =
            def->cable != NULL && winch->cable.text != NULL && strcmp(winch->cable.text, def->cable) == 0;
        if (wanted) def->winch = winch->name;
    }
    return true;
}

// Their words, a space between two.
static const char* JoinControls(hwReader* reader, const hwItems* controls) {
    size_t room = 1;
    for (int i = 0; i < controls->count; i++)
        room += strlen(hwLessonControlChoices[HW_ITEM(*controls, hwSceneLessonControl, i)->word].word) + 1;
    char* text = hwReader_Take(reader, room, 1);
    if (text == NULL) return NULL;
    size_t at = 0;
    for (int i = 0; i < controls->count; i++) {
        const char* word = hwLessonControlChoices[HW_ITEM(*controls, hwSceneLessonControl, i)->word].word;
        if (i > 0) text[at++] = ' ';
        memcpy(text + at, word, strlen(word));
        at += strlen(word);
    }
    text[at] = 0;
    return text;
}

static bool FillObjective(hwReader* reader, const hwSceneObjective* from, hwLessonObjective* to) {
    *to = (hwLessonObjective){.name = from->name,
                              .text = from->text != NULL ? from->text : from->name,
                              .zone = from->zone.place.line > 0,
                              .position = from->zone.position,
                              .radius = from->zone.radius,
                              .gate = from->gate.place.line > 0,
                              .gatePosition = from->gate.position,
                              .gateDirection = from->gate.direction,
                              .gateRadius = from->gate.radius,
                              .look = from->look.place.line > 0,
                              .lookAt = from->look.at,
                              .lookNear = from->look.nearest,
                              .lookFar = from->look.farthest,
                              .lookWithin = from->look.within,
                              .heading = from->heading,
                              .headingWithin = from->within,
                              .conditionCount = from->conditions.count,
                              .hold = from->hold,
                              .step = from->step,
                              .turn = from->turn,
                              .controls = JoinControls(reader, &from->controls)};
    if (to->controls == NULL) return false;
    hwLessonCondition* conditions =
        hwReader_Take(reader, (size_t)from->conditions.count, sizeof(*conditions));
    if (conditions == NULL) return false;
    for (int i = 0; i < from->conditions.count; i++) {
        const hwSceneCondition* condition = HW_ITEM(from->conditions, hwSceneCondition, i);
        conditions[i] = (hwLessonCondition){condition->channel, condition->above, condition->below};
    }
    to->conditions = conditions;
    return true;
}

static void FillError(const hwSceneLessonError* error, hwLessonDef* def) {
    if (error->crossTrack.place.line > 0) {
        def->error = HW_LESSON_ERROR_CROSS_TRACK;
        def->pathCount = error->crossTrack.path.count;
        def->path = error->crossTrack.path.values;
        def->scale = error->crossTrack.scale;
    } else if (error->station.place.line > 0) {
        def->error = HW_LESSON_ERROR_STATION;
        def->pathCount = 1;
        def->path = &error->station.position;
        def->scale = error->station.radius;
    } else if (error->inView.place.line > 0) {
        def->error = HW_LESSON_ERROR_IN_VIEW;
        def->scale = error->inView.range;
        def->field = error->inView.field;
    } else if (error->steps) {
        def->error = HW_LESSON_ERROR_STEPS;
    }
}

static bool FillProbes(hwReader* reader, const hwSceneProbes* from, hwLessonProbes* to) {
    if (from->place.line == 0) return true;
    hwLessonObstacle* obstacles = hwReader_Take(reader, (size_t)from->obstacles.count, sizeof(*obstacles));
    if (obstacles == NULL) return false;
    for (int i = 0; i < from->obstacles.count; i++) {
        const hwSceneObstacle* obstacle = HW_ITEM(from->obstacles, hwSceneObstacle, i);
        obstacles[i] = (hwLessonObstacle){obstacle->name, obstacle->position};
    }
    *to = (hwLessonProbes){from->count, from->first,     from->spacing,         from->spread,
                           from->seed,  from->questions, from->obstacles.count, obstacles};
    return true;
}

bool hwFillLesson(hwReader* reader, hwScene* scene) {
    const hwSceneModel* model = &scene->model;
    const hwSceneLesson* lesson = &model->lesson;
    if (lesson->place.line == 0) return true;
    hwLessonInfo* info = &scene->lesson;
    info->title = lesson->title != NULL ? lesson->title : scene->info.name;
    info->why = lesson->why != NULL ? lesson->why : "";
    info->briefing = lesson->briefing != NULL ? lesson->briefing : "";
    info->aids = (hwLessonAids)lesson->aids;
    info->handler = (hwLessonHandler)lesson->handler;
    info->hints = lesson->hints;
    info->sonar = lesson->sonar;
    info->sensors = lesson->sensors;
    info->plan = lesson->view == 1;
    hwLessonDef* def = &info->def;
    *def = hwDefaultLessonDef();
    if (!FindVehicle(reader, model, def) || !FindTether(reader, model, def)) return false;
    int count = lesson->objectives.count;
    hwLessonObjective* objectives = hwReader_Take(reader, (size_t)count, sizeof(*objectives));
    hwLessonFault* faults = hwReader_Take(reader, (size_t)lesson->faults.count, sizeof(*faults));
    if (objectives == NULL || faults == NULL) return false;
    for (int i = 0; i < count; i++) {
        if (!FillObjective(reader, HW_ITEM(lesson->objectives, hwSceneObjective, i), &objectives[i]))
            return false;
    }
    for (int i = 0; i < lesson->faults.count; i++) {
        const hwSceneFault* fault = HW_ITEM(lesson->faults, hwSceneFault, i);
        faults[i] = (hwLessonFault){fault->time, fault->input, fault->value, fault->text};
    }
    if (!FillProbes(reader, &lesson->probes, &def->probes)) return false;
    if (lesson->pilot.count > 0) {
        info->pilot = hwMakePilotScript(reader, &lesson->pilot);
        if (info->pilot == NULL) return false;
    }
    info->faultCount = lesson->faults.count;
    info->faults = faults;
    def->objectiveCount = count;
    def->objectives = objectives;
    def->sequence = lesson->order == 0;
    def->par = lesson->par;
    def->limit = lesson->limit;
    FillError(&lesson->error, def);
    def->recover = lesson->recover.place.line > 0;
    def->recoverPosition = lesson->recover.position;
    def->recoverRadius = lesson->recover.radius;
    def->leastBend = lesson->leastBend;
    memcpy(def->weights, lesson->weights.values, sizeof(def->weights));
    def->passScore = lesson->pass.score;
    def->passTask = lesson->pass.task;
    return true;
}

hwHinterDef hwLesson_MakeHinterDef(const hwLessonInfo* lesson) {
    hwHinterDef def = hwDefaultHinterDef();
    def.vehicle = lesson->def.vehicle;
    def.cable = lesson->def.cable;
    def.sameWay = lesson->def.weights[HW_TERM_RETURN] > 0.0;
    return def;
}

const hwLessonInfo* hwScene_GetLesson(const hwScene* scene) {
    return scene->model.lesson.place.line > 0 ? &scene->lesson : NULL;
}

hwStatus hwScene_CheckFaults(const hwScene* scene, const hwWorld* world, hwError* error) {
    const hwItems* faults = &scene->model.lesson.faults;
    for (int i = 0; scene->model.lesson.place.line > 0 && i < faults->count; i++) {
        const hwSceneFault* fault = HW_ITEM(*faults, hwSceneFault, i);
        if (hwWorld_FindInput(world, fault->input) >= 0) continue;
        return hwSceneFail(error, HW_ERROR_MODEL, fault->place.line, fault->place.column,
                           "there is no input `%.80s` for a fault to set", fault->input);
    }
    return HW_OK;
}

hwScorer* hwScene_CreateScorer(const hwScene* scene, int channelCount, const char* const* channels,
                               hwError* error) {
    const hwPlace* place = &scene->model.lesson.place;
    if (place->line == 0) {
        hwSceneFail(error, HW_ERROR_MODEL, 0, 0, "the scene has no `lesson`");
        return NULL;
    }
    if (scene->lesson.def.vehicle == NULL) {
        hwSceneFail(error, HW_ERROR_MODEL, place->line, place->column,
                    "a lesson needs a vehicle in `vehicles`");
        return NULL;
    }
    const hwPlace* weights = &scene->model.lesson.weights.place;
    if (scene->lesson.def.weights[HW_TERM_AWARENESS] > 0.0 && scene->lesson.def.probes.count == 0) {
        hwSceneFail(error, HW_ERROR_MODEL, weights->line, weights->column,
                    "the term `awareness` has a weight, but the lesson has no `probes`");
        return NULL;
    }
    hwScorer* scorer = hwCreateScorer(&scene->lesson.def, channelCount, channels, error);
    if (scorer == NULL) hwPlaceField(place, hwLessonKeys, error);
    return scorer;
}
