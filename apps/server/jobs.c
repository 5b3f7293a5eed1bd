// Work in threads of its own: lists of recordings, conversions.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/server_internal.h"

#include "hawser/debrief.h"
#include "hawser/flight.h"
#include "hawser/logbook.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_FLIGHTS 1000

static json_t* DescribeFlight(const hwFlightInfo* info) {
    char hash[24] = "";
    if (info->hashed) snprintf(hash, sizeof(hash), "0x%016llx", (unsigned long long)info->hash);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:s, s:s, s:I}", "flight", info->id, "title",
                     info->title, "vehicle", info->vehicle, "surroundings", info->surroundings, "started",
                     info->started, "pilot", info->pilot, "duration", info->duration, "status", info->status,
                     "hash", hash, "bytes", (json_int_t)info->bytes);
}

static char* ListFlights(const char* folder, int64_t request) {
    hwFlightInfo* infos = calloc(MOST_FLIGHTS, sizeof(*infos));
    int count = infos != NULL ? hwListFlights(folder, MOST_FLIGHTS, infos) : 0;
    json_t* list = json_array();
    for (int i = 0; i < count && i < MOST_FLIGHTS; ++i)
        json_array_append_new(list, DescribeFlight(&infos[i]));
    free(infos);
    json_t* reply = json_pack("{s:s, s:I, s:o}", "type", "reply", "id", (json_int_t)request, "flights", list);
    char* text = reply != NULL ? json_dumps(reply, JSON_COMPACT) : NULL;
    json_decref(reply);
    return text;
}

static char* MakeReply(const char* key, char* text, int64_t request) {
    json_t* content = text != NULL ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (content == NULL) return NULL;
    json_t* reply = json_pack("{s:s, s:I, s:o}", "type", "reply", "id", (json_int_t)request, key, content);
    char* answer = reply != NULL ? json_dumps(reply, JSON_COMPACT) : NULL;
    json_decref(reply);
    return answer;
}

static void MakeDebrief(hwWebServerJob* job) {
    hwError error;
    hwDebrief* debrief = hwCreateDebrief(job->source, job->kind != JOB_DEBRIEF_CSV, &error);
    if (debrief == NULL) {
        snprintf(job->reason, sizeof(job->reason), "%.250s", error.message);
        return;
    }
    if (job->kind == JOB_DEBRIEF) {
        job->text = MakeReply("debrief", hwDebrief_WriteJson(debrief), job->request);
        job->good = job->text != NULL;
    } else if (job->kind == JOB_DEBRIEF_PAGE) {
        job->good = hwDebrief_WriteHtml(debrief, job->target, &error) == HW_OK;
    } else {
        job->good = hwDebrief_WriteCsv(debrief, job->target, &error) == HW_OK;
    }
    hwDestroyDebrief(debrief);
}

static json_t* DescribeLine(const hwLogbookLine* line) {
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:b, s:b, s:f, s:i}", "started", line->started,
                     "pilot", line->pilot, "group", line->group, "phase", line->phase, "lesson", line->lesson,
                     "flight", line->flight, "score", line->score, "passed", (int)line->passed, "complete",
                     (int)line->complete, "time", line->time, "hits", line->hits);
}

static void ReadLogbook(hwWebServerJob* job) {
    char path[720];
    hwError error;
    int count;
    hwLogbookLine* lines;
    snprintf(path, sizeof(path), "%.600s/logbook.csv", job->server->flights);
    if (hwLogbook_Read(path, &count, &lines, &error) != HW_OK) {
        snprintf(job->reason, sizeof(job->reason), "%.250s", error.message);
        return;
    }
    json_t* list = json_array();
    for (int i = 0; i < count; ++i) json_array_append_new(list, DescribeLine(&lines[i]));
    free(lines);
    json_t* reply =
        json_pack("{s:s, s:I, s:o}", "type", "reply", "id", (json_int_t)job->request, "lines", list);
    job->text = reply != NULL ? json_dumps(reply, JSON_COMPACT) : NULL;
    job->good = job->text != NULL;
    json_decref(reply);
}

static void* JobMain(void* context) {
    hwWebServerJob* job = context;
    switch (job->kind) {
    case JOB_FLIGHTS:
        job->text = ListFlights(job->server->flights, job->request);
        job->good = job->text != NULL;
        break;
    case JOB_CSV:
        job->good = hwConvertResults(job->source, job->target, NULL) == HW_OK;
        break;
    case JOB_LOGBOOK:
        ReadLogbook(job);
        break;
    case JOB_DEBRIEF:
    case JOB_DEBRIEF_PAGE:
    case JOB_DEBRIEF_CSV:
        MakeDebrief(job);
        break;
    }
    atomic_store(&job->done, true);
    lws_cancel_service(job->server->lws);
    return NULL;
}

hwWebServerJob* hwWebServer_StartJob(hwWebServer* server, const hwWebServerJob* model) {
    if (server->jobCount >= MOST_JOBS) return NULL;
    hwWebServerJob* job = calloc(1, sizeof(*job));
    if (job == NULL) return NULL;
    job->kind = model->kind;
    job->connection = model->connection;
    job->request = model->request;
    memcpy(job->source, model->source, sizeof(job->source));
    memcpy(job->target, model->target, sizeof(job->target));
    job->server = server;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // signals are for the thread that serves
    int fault = pthread_create(&job->thread, NULL, JobMain, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (fault != 0) {
        free(job);
        return NULL;
    }
    job->next = server->jobs;
    server->jobs = job;
    server->jobCount += 1;
    return job;
}

void hwWebServer_CollectJobs(hwWebServer* server) {
    hwWebHttp_ContinueDownloads(server);
    hwWebServerJob** link = &server->jobs;
    while (*link != NULL) {
        hwWebServerJob* job = *link;
        // a file stays until its download has taken it, or is gone
        bool file = job->kind > JOB_LOGBOOK, wanted = file && !job->abandoned;
        if (!atomic_load(&job->done) || wanted) {
            link = &job->next;
            continue;
        }
        *link = job->next;
        server->jobCount -= 1;
        pthread_join(job->thread, NULL);
        if (file) unlink(job->target);
        hwWebConnection* connection = hwWebServer_FindConnection(server, job->connection);
        if (!file && connection != NULL) {
            connection->busy = false;
            if (job->good) {
                hwWebConnection_SendText(connection, job->text);
            } else {
                hwWebConnection_SendError(connection, job->request, "failed",
                                          job->reason[0] != 0 ? job->reason : "there is not enough memory");
            }
            hwWebServer_Resume(server, connection);
        }
        free(job->text);
        free(job);
    }
}
