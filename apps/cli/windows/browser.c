// No pages are printed on Windows.
#include "apps/cli/browser.h"

#include "apps/cli/cli.h"

bool hwBrowser_Print(const char* html, const char* pdf) {
    hwCli_Complain("Open it in a browser and print it from there.", "Cannot print %s to %s: not on Windows.",
                   html, pdf);
    return false;
}
