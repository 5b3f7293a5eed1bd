// A browser that is installed, run without a window.
#ifndef HW_CLI_BROWSER_H
#define HW_CLI_BROWSER_H

#include <stdbool.h>

// Prints the page in the file `html`, at its address fragment `#print`, to `pdf`. False with a complaint when there is no
// browser or it makes none.
bool hwBrowser_Print(const char* html, const char* pdf);

// Opens a page of ours and has it evaluate scripts one after the other, each a promise of the address of an image
// (`data:image/jpeg;base64,...`), which is written to files[i]. `ready` is a script that is true once the page can. False with a
// complaint.
bool hwBrowser_Draw(const char* address, const char* ready, int count, const char* const* scripts,
                    const char* const* files);

#endif
