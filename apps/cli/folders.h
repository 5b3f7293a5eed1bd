// Folders of results.
#ifndef HW_CLI_FOLDERS_H
#define HW_CLI_FOLDERS_H

#include <stdbool.h>

// Makes a folder and those that it is in. False with a complaint that names the one that cannot be made. `made`, where it is not
// null and nothing is there yet, receives the first one that had to be made, which the caller frees.
bool hwCli_MakeFolders(const char* path, char** made);

// "results/" and the name of a file without its ending, which the caller frees.
char* hwCli_NameResults(const char* file);

#endif
