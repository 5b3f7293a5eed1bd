// Printing a page with the browser that is installed.
#define _XOPEN_SOURCE 700
#include "apps/cli/browser.h"

#include "apps/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// s; a page of a few MB takes two on an idle machine.
static const double g_patience = 180;

static bool IsProgram(const char* path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

// The browser: HAWSER_BROWSER, or the first one in PATH that prints without a window.
static bool FindBrowser(char* path, size_t size) {
    static const char* const names[] = {
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
        "chrome",   "microsoft-edge",   "brave-browser"};
    const char* given = getenv("HAWSER_BROWSER");
    if (given && *given) {
        snprintf(path, size, "%s", given);
        if (IsProgram(path)) return true;
        hwCli_Complain(NULL, "HAWSER_BROWSER is %s, which is no program.", given);
        return false;
    }
    const char* folders = getenv("PATH");
    for (size_t i = 0; folders && i < sizeof(names) / sizeof(names[0]); ++i) {
        for (const char* at = folders; *at;) {
            size_t length = strcspn(at, ":");
            snprintf(path, size, "%.*s/%s", (int)length, at, names[i]);
            if (length > 0 && IsProgram(path)) return true;
            at += length + (at[length] == ':');
        }
    }
    hwCli_Complain(
        "Install Chromium (tools/setup.sh, or `apt install chromium`), name a browser that understands "
        "--print-to-pdf in HAWSER_BROWSER, or print the page from your own browser.",
        "There is no browser to make a PDF with.");
    return false;
}

// file:// address of an absolute path, with the fragment that lays the page out for paper.
static char* MakeAddress(const char* path) {
    char* address = hwCli_Allocate(NULL, 3 * strlen(path) + 32);
    char* to = address + sprintf(address, "file://");
    for (const unsigned char* c = (const unsigned char*)path; *c; ++c) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     strchr("/-._~", *c);
        to += plain ? sprintf(to, "%c", *c) : sprintf(to, "%%%02X", *c);
    }
    strcpy(to, "#print");
    return address;
}

static int RemoveOne(const char* path, const struct stat* about, int kind, struct FTW* place) {
    (void)about, (void)kind, (void)place;
    return remove(path);
}

// Waits for the browser; true: it ended by itself with status 0.
static bool Await(pid_t browser) {
    double end = hwCli_GetTime() + g_patience;
    for (int status; hwCli_GetTime() < end;) {
        pid_t ended = waitpid(browser, &status, WNOHANG);
        if (ended == browser) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (ended < 0 && errno != EINTR) return false;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    kill(-browser, SIGKILL); // its own group: the processes it has started with it
    waitpid(browser, NULL, 0);
    return false;
}

static bool IsPdf(const char* path) {
    char head[5] = {0};
    FILE* file = fopen(path, "rb");
    bool good = file && fread(head, 1, 5, file) == 5 && memcmp(head, "%PDF-", 5) == 0;
    if (file) fclose(file);
    return good;
}

bool hwBrowser_Print(const char* html, const char* pdf) {
    char browser[PATH_MAX], full[PATH_MAX], profile[] = "/tmp/hawser-browser-XXXXXX";
    if (!FindBrowser(browser, sizeof(browser))) return false;
    if (!realpath(html, full) || !mkdtemp(profile)) {
        hwCli_Complain(NULL, "Cannot print %s: %s.", html, strerror(errno));
        return false;
    }
    char folder[sizeof(profile) + 32], target[sizeof(profile) + 64];
    snprintf(folder, sizeof(folder), "--user-data-dir=%s", profile);
    snprintf(target, sizeof(target), "--print-to-pdf=%s/page.pdf", profile);
    char* address = MakeAddress(full);
    const char* arguments[] = {browser, "--headless", "--disable-gpu", "--no-first-run",
                               "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
                               "--force-device-scale-factor=2", "--no-pdf-header-footer",
                               "--virtual-time-budget=10000", folder, target, address,
                               // a browser run by root refuses to start with its sandbox; the page is our own
                               geteuid() == 0 ? "--no-sandbox" : NULL, NULL};
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        int nowhere = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; ++i) dup2(nowhere, i);
        execv(browser, (char* const*)(uintptr_t)arguments);
        _exit(127);
    }
    free(address);
    bool good = child > 0 && Await(child);
    const char* made = target + strlen("--print-to-pdf=");
    good = good && IsPdf(made);
    if (good) {
        // Another file system, perhaps: copied, not moved.
        hwCliOutput output;
        FILE* from = fopen(made, "rb");
        good = from && hwCliOutput_Open(&output, pdf);
        char block[65536];
        for (size_t got; good && (got = fread(block, 1, sizeof(block), from)) > 0;)
            fwrite(block, 1, got, output.stream);
        if (from) fclose(from);
        if (good) good = hwCliOutput_Close(&output);
    } else {
        hwCli_Complain("Open the page in a browser and print it from there.", "%s made no PDF of %s.",
                       browser, html);
    }
    nftw(profile, RemoveOne, 16, FTW_DEPTH | FTW_PHYS);
    return good;
}
