// A conversion of SMS files to a scene.
#ifndef HW_IO_SMS_SCENE_H
#define HW_IO_SMS_SCENE_H

#include "sms_ini.h"

#include <stdarg.h>
#include <stdio.h>

#define HW_SMS_MAX_FILES 256

typedef struct hwSmsFile {
    hwIni ini;
    hwSmsKind kind;
    const char* name; // of the object
} hwSmsFile;

typedef struct hwSmsJob {
    hwStore store;
    hwLogFn* log;
    void* logContext;
    hwError* error;
    char title[128];
    int fileCount;
    hwSmsFile files[HW_SMS_MAX_FILES];
} hwSmsJob;

void hwSms_Begin(hwSmsJob* job, hwLogFn* log, void* logContext, hwError* error);
void hwSms_End(hwSmsJob* job);

// Parses one file's text and finds out what it is.
bool hwSms_AddFile(hwSmsJob* job, const char* text, size_t size, const char* name);

// The scene as text, which the caller frees.
bool hwSms_Write(hwSmsJob* job, char** text, size_t* size);

// Writes all parts to a stream.
bool hwSms_WriteScene(hwSmsJob* job, FILE* file);

void hwSms_Warn(hwSmsJob* job, const hwIni* ini, int line, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Parts that need more than the files hold: ends of cables that move are free, winches are comments unless there is no doubt
// where they are, cranes stand on the earth.
bool hwSms_WriteCable(hwSmsJob* job, const hwSmsFile* source, FILE* file);
bool hwSms_WriteWinch(hwSmsJob* job, const hwSmsFile* source, FILE* file);
bool hwSms_HasLiveWinch(hwSmsJob* job);
bool hwSms_WriteCrane(hwSmsJob* job, const hwSmsFile* source, FILE* file);

// Reading and writing values ----------------------------------------------------------------------------------------

// A number by key; `fallback` when the key is not there.
bool hwSms_Get(hwSmsJob* job, const hwIni* ini, int id, const char* key, double fallback, double* value);

// Writes a number in the shortest form that reads back the same.
void hwSms_PutNumber(FILE* file, double value);
// Writes "[a, b, c]".
void hwSms_PutList(FILE* file, int count, const double* values);

#endif
