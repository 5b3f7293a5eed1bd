// Printing a page with the browser that is installed.
#define _XOPEN_SOURCE 700
#include "apps/cli/browser.h"

#include "apps/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
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
        "There is no browser to print or draw with.");
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
static bool Await(pid_t browser, double patience) {
    double end = hwCli_GetTime() + patience;
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

// Starts the browser with pipes from and to it as its descriptors 3 and 4, where they are given.
static pid_t Start(const char* browser, const char* const* arguments, const int toBrowser[2],
                   const int fromBrowser[2]) {
    pid_t child = fork();
    if (child != 0) return child;
    setpgid(0, 0);
    int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; ++i) dup2(nowhere, i);
    if (toBrowser) {
        // first out of the way of 3 and 4
        int in = fcntl(toBrowser[0], F_DUPFD, 10), out = fcntl(fromBrowser[1], F_DUPFD, 10);
        for (int i = 0; i < 2; ++i) {
            close(toBrowser[i]);
            close(fromBrowser[i]);
        }
        dup2(in, 3);
        dup2(out, 4);
        close(in);
        close(out);
    }
    execv(browser, (char* const*)(uintptr_t)arguments);
    _exit(127);
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
    pid_t child = Start(browser, arguments, NULL, NULL);
    free(address);
    bool good = child > 0 && Await(child, g_patience);
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

// Pictures ---------------------------------------------------------------------------------------------------------------------
//
// The browser's debugging protocol through pipes (--remote-debugging-pipe): messages in JSON, each ended by a zero byte. Nothing
// listens on a port. Answers are looked through for a few names that occur once in them; pages are our own.

typedef struct Talk {
    int to, from;
    double end; // when patience ends
    char* text; // the last message
    size_t size, used, taken;
    int id;
} Talk;

static bool Send(Talk* talk, const char* text) {
    for (size_t left = strlen(text) + 1; left > 0;) {
        ssize_t sent = write(talk->to, text, left);
        if (sent < 0 && errno != EINTR) return false;
        if (sent > 0) text += sent, left -= (size_t)sent;
    }
    return true;
}

// The next message, null when the browser has gone or takes too long. It holds until the next call.
static const char* Receive(Talk* talk) {
    memmove(talk->text, talk->text + talk->taken, talk->used -= talk->taken);
    talk->taken = 0;
    for (;;) {
        const char* zero = talk->used ? memchr(talk->text, 0, talk->used) : NULL;
        if (zero) {
            talk->taken = (size_t)(zero - talk->text) + 1;
            return talk->text;
        }
        double left = talk->end - hwCli_GetTime();
        struct pollfd wait = {.fd = talk->from, .events = POLLIN};
        if (left <= 0 || poll(&wait, 1, (int)(1000 * left) + 1) <= 0) return NULL;
        if (talk->used + 65536 > talk->size) talk->text = hwCli_Allocate(talk->text, talk->size += 1 << 20);
        ssize_t got = read(talk->from, talk->text + talk->used, 65536);
        if (got == 0 || (got < 0 && errno != EINTR)) return NULL;
        if (got > 0) talk->used += (size_t)got;
    }
}

// Sends a command, `body` without its number, and returns the answer; null: none, or an error.
static const char* Ask(Talk* talk, const char* body) {
    size_t size = strlen(body) + 32;
    char *text = hwCli_Allocate(NULL, size), head[32];
    snprintf(text, size, "{\"id\":%d,%s}", ++talk->id, body);
    bool sent = Send(talk, text);
    free(text);
    snprintf(head, sizeof(head), "{\"id\":%d,", talk->id);
    for (const char* answer; sent && (answer = Receive(talk));) {
        if (strncmp(answer, head, strlen(head)) == 0) return strstr(answer, "\"result\":") ? answer : NULL;
    }
    return NULL;
}

// Copies the text that follows `before` up to the next quotation mark.
static bool Find(const char* answer, const char* before, char* out, size_t size) {
    const char* at = answer ? strstr(answer, before) : NULL;
    if (!at) return false;
    at += strlen(before);
    size_t length = strcspn(at, "\"");
    if (length == 0 || length >= size) return false;
    memcpy(out, at, length);
    out[length] = 0;
    return true;
}

// A script as a string of JSON.
static char* Quote(const char* script) {
    char *text = hwCli_Allocate(NULL, 2 * strlen(script) + 1), *to = text;
    for (; *script; ++script) {
        if (*script == '"' || *script == '\\') *to++ = '\\';
        *to++ = *script;
    }
    *to = 0;
    return text;
}

static const char* Evaluate(Talk* talk, const char* session, const char* script) {
    char* quoted = Quote(script);
    size_t size = strlen(quoted) + 300;
    char* body = hwCli_Allocate(NULL, size);
    snprintf(body, size,
             "\"sessionId\":\"%s\",\"method\":\"Runtime.evaluate\",\"params\":{\"expression\":\"%s\","
             "\"awaitPromise\":true,\"returnByValue\":true}",
             session, quoted);
    const char* answer = Ask(talk, body);
    free(body);
    free(quoted);
    return answer;
}

static int GetDigit(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

// Writes the picture that an answer holds.
static bool WritePicture(const char* answer, const char* path) {
    static const char before[] = "\"data:image/jpeg;base64,";
    const char* at = answer ? strstr(answer, before) : NULL;
    FILE* file = at ? fopen(path, "wb") : NULL;
    if (!file) return false;
    unsigned bits = 0;
    int count = 0;
    for (at += strlen(before); GetDigit(*at) >= 0; ++at) {
        bits = bits << 6 | (unsigned)GetDigit(*at);
        if ((count += 6) < 8) continue;
        count -= 8;
        fputc((int)(bits >> count & 255u), file);
    }
    return fclose(file) == 0;
}

static bool DrawAll(Talk* talk, const char* address, const char* ready, int count, const char* const* scripts,
                    const char* const* files) {
    char target[80], session[80], body[1200], script[600];
    if (!Find(Ask(talk, "\"method\":\"Target.createTarget\",\"params\":{\"url\":\"about:blank\"}"),
              "\"targetId\":\"", target, sizeof(target)))
        return false;
    snprintf(body, sizeof(body),
             "\"method\":\"Target.attachToTarget\",\"params\":{\"targetId\":\"%s\",\"flatten\":true}",
             target);
    if (!Find(Ask(talk, body), "\"sessionId\":\"", session, sizeof(session))) return false;
    snprintf(body, sizeof(body),
             "\"sessionId\":\"%s\",\"method\":\"Page.navigate\",\"params\":{\"url\":\"%s\"}", session,
             address);
    if (!Ask(talk, body)) return false;
    snprintf(script, sizeof(script),
             "(async () => { while (!(%s)) await new Promise((done) => setTimeout(done, 50)); })()", ready);
    if (!Evaluate(talk, session, script)) return false;
    for (int i = 0; i < count; ++i)
        if (!WritePicture(Evaluate(talk, session, scripts[i]), files[i])) return false;
    Ask(talk, "\"method\":\"Browser.close\"");
    return true;
}

bool hwBrowser_Draw(const char* address, const char* ready, int count, const char* const* scripts,
                    const char* const* files) {
    char browser[PATH_MAX], profile[] = "/tmp/hawser-browser-XXXXXX";
    int to[2], from[2];
    if (!FindBrowser(browser, sizeof(browser))) return false;
    if (!mkdtemp(profile) || pipe(to) != 0 || pipe(from) != 0) {
        hwCli_Complain(NULL, "Cannot draw %s: %s.", address, strerror(errno));
        return false;
    }
    char folder[sizeof(profile) + 32];
    snprintf(folder, sizeof(folder), "--user-data-dir=%s", profile);
    // drawn by the processor: servers have no graphics card, and pictures are the same everywhere
    const char* arguments[] = {browser, "--headless", "--remote-debugging-pipe", "--no-first-run",
                               "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
                               "--window-size=1280,800", "--use-gl=angle", "--use-angle=swiftshader",
                               "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", folder,
                               // a browser run by root refuses to start with its sandbox; the page is our own
                               geteuid() == 0 ? "--no-sandbox" : NULL, NULL};
    pid_t child = Start(browser, arguments, to, from);
    close(to[0]);
    close(from[1]);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    Talk talk = {.to = to[1], .from = from[0], .end = hwCli_GetTime() + g_patience};
    talk.text = hwCli_Allocate(NULL, talk.size = 1 << 20);
    bool good = child > 0 && DrawAll(&talk, address, ready, count, scripts, files);
    free(talk.text);
    close(to[1]);
    close(from[0]);
    if (child > 0 && !Await(child, good ? 10.0 : 1.0)) kill(-child, SIGKILL);
    signal(SIGPIPE, before);
    if (!good) hwCli_Complain(NULL, "%s drew no pictures.", browser);
    nftw(profile, RemoveOne, 16, FTW_DEPTH | FTW_PHYS);
    return good;
}
