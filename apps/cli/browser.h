// A browser that is installed, run without a window.
#ifndef HW_CLI_BROWSER_H
#define HW_CLI_BROWSER_H

#include <stdbool.h>

// Prints the page in the file `html`, at its address fragment `#print`, to `pdf`. False with a complaint when there is no
// browser or it makes none.
bool hwBrowser_Print(const char* html, const char* pdf);

#endif
