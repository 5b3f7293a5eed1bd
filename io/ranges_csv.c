// Range graphs and extremes as CSV.
#include "csv_number.h"
#include "results_internal.h"

#include <math.h>

hwStatus hwRanges_WriteCsv(const hwRanges* ranges, const char* path, hwError* error) {
    hwSink sink;
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    fputs("cable", sink.stream);
    for (int k = 0; k < HW_RANGE_COLUMNS; ++k) fprintf(sink.stream, ",%s", hwRanges_GetColumn(k).name);
    fputs("\n", sink.stream);
    for (int k = 0; k < HW_RANGE_COLUMNS; ++k) fprintf(sink.stream, ",%s", hwRanges_GetColumn(k).unit);
    fputs("\n", sink.stream);
    for (int i = 0; i < hwRanges_GetCount(ranges); ++i) {
        const char* cable;
        const hwRangeStation* station = hwRanges_GetStation(ranges, i, &cable);
        if (isnan(station->time)) continue;
        fputs(cable, sink.stream);
        const double* numbers = (const double*)station;
        for (int k = 0; k < HW_RANGE_COLUMNS; ++k) {
            char text[HW_NUMBER_SIZE];
            fprintf(sink.stream, ",%.*s", hwFormatNumber(numbers[k], text), text);
        }
        fputs("\n", sink.stream);
    }
    return hwSink_Close(&sink, HW_OK, error);
}

hwStatus hwExtremes_WriteCsv(int channelCount, const hwChannelInfo* channels, const hwExtreme* extremes,
                             const char* path, hwError* error) {
    hwSink sink;
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    fputs("channel,unit", sink.stream);
    for (int k = 0; k < HW_EXTREME_COLUMNS; ++k) fprintf(sink.stream, ",%s", hwExtremes_GetColumn(k));
    fputs("\n", sink.stream);
    for (int i = 0; i < channelCount; ++i) {
        fprintf(sink.stream, "%s,%s", channels[i].name, channels[i].unit);
        const double* numbers = (const double*)&extremes[i];
        for (int k = 0; k < HW_EXTREME_COLUMNS; ++k) {
            char text[HW_NUMBER_SIZE];
            fprintf(sink.stream, ",%.*s", hwFormatNumber(numbers[k], text), text);
        }
        fputs("\n", sink.stream);
    }
    return hwSink_Close(&sink, HW_OK, error);
}
