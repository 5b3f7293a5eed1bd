// No pages are printed on Windows.
#include "apps/cli/browser.h"

#include "apps/cli/cli.h"

bool hwBrowser_Print(const char* html, const char* pdf) {
    hwCli_Complain("Open it in a browser and print it from there.", "Cannot print %s to %s: not on Windows.",
                   html, pdf);
    return false;
}

bool hwBrowser_Draw(const char* address, const char* ready, int count, const char* const* scripts,
                    const char* const* files) {
    (void)ready, (void)count, (void)scripts, (void)files;
    hwCli_Complain(NULL, "Cannot draw %s: not on Windows.", address);
    return false;
}
