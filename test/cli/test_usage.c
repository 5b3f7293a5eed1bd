// The command line: every wrong use gives one sentence, a hint where there is one, and exit status 2.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/base.h"
#include "program.h"

static void HelpAndVersionSucceed(void** state) {
    (void)state;
    static const char* const commands[] = {"run",   "check",   "channels", "validate",
                                           "bench", "convert", "report"};
    assert_int_equal(Hawser("--help"), 0);
    for (int i = 0; i < 6; ++i) AssertSays(g_output, commands[i]);
    for (int i = 0; i < 6; ++i) {
        char arguments[64], usage[64];
        snprintf(usage, sizeof(usage), "usage: hawser %s", commands[i]);
        snprintf(arguments, sizeof(arguments), "%s --help", commands[i]);
        assert_int_equal(Hawser(arguments), 0);
        AssertSays(g_output, usage);
        assert_string_equal(g_errors, "");
        snprintf(arguments, sizeof(arguments), "help %s", commands[i]);
        assert_int_equal(Hawser(arguments), 0);
        AssertSays(g_output, usage);
    }
    Hawser("run --help");
    static const char* const options[] = {"--out",    "--csv", "--channels", "--duration",
                                          "--solver", "--sms", "--quiet"};
    for (int i = 0; i < 7; ++i) AssertSays(g_output, options[i]);
    assert_int_equal(Hawser("--version"), 0);
    AssertSays(g_output, hwGetVersion());
}

// Thrusters push harder than they pull, and the upright ones of a BlueROV2 push down.
static void CheckOfAVehicleTellsBothWays(void** state) {
    (void)state;
    assert_int_equal(Hawser("check bluerov2"), 0);
    AssertSays(g_output, "6 thrusters: ahead");
    AssertSays(g_output, ", astern");
    const char* up = strstr(g_output, "; up ");
    const char* down = strstr(g_output, ", down ");
    assert_true(up != NULL && down != NULL);
    assert_true(strtod(up + 5, NULL) > 0.0 && strtod(down + 7, NULL) > 1.1 * strtod(up + 5, NULL));
    AssertSays(g_output, "yaw to port");
}

static void WrongUseIsRefused(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    static const struct {
        const char *arguments, *sentence, *hint;
    } cases[] = {
        {"", "usage: hawser", ""},
        {"runn box.yaml", "no command \"runn\"",
         "run, check, channels, validate, bench, convert, compare, report, train, serve, tune, view, replay, "
         "action, fly, score, debrief, logbook, fmu, study, modes and fit; did you mean run?"},
        {"xyzzyxyzzy", "no command", "The commands are"},
        {"run", "run needs SCENE", "usage: hawser run SCENE"},
        {"serve box.yaml", "there is no connector",
         "Give --ardupilot, --mavlink, --mirror, --foxglove or --dds."},
        {"serve box.yaml --dds 300", "--dds must be a domain of 0 to 232, not \"300\"", "ROS_DOMAIN_ID"},
        {"serve box.yaml --ports box", "go with --dds", "--ports crane.boom@10:0:0=hook"},
        {"serve box.yaml --dds 0 --ends wire", "\"wire\" is no end of a cable", "as in wire.a"},
        {"serve box.yaml --dds 0 --ports box@1:2", "\"box@1:2\" is no place on a body", "block@0:0:-0.5"},
        {"serve box.yaml --dds 0 --ardupilot 9002", "each paces the world", "a federate of its own"},
        {"serve box.yaml --dds 0 --step 0", "--step", ""},
        {"serve box.yaml --ardupilot 9002 --mavlink 127.0.0.1:14550", "exclude each other",
         "connect the ground station to it"},
        {"serve box.yaml --ardupilot x", "--ardupilot: \"x\" is no address with a port", "127.0.0.1:9002"},
        {"serve box.yaml --mavlink gcs.example:14550", "\"gcs.example\" is no numeric address",
         "not looked up"},
        {"serve box.yaml --mavlink 127.0.0.1:14550 --free", "--free goes with --ardupilot", ""},
        {"serve box.yaml --mavlink 127.0.0.1:14550 --origin 95,10", "--origin must be a latitude",
         "59.91,10.72"},
        {"serve box.yaml --mavlink 127.0.0.1:14550 --link 1,2", "--link must be a latency", "0.6,0.05"},
        {"serve box.yaml --ardupilot 9002 --link 1", "--link goes with --mavlink", ""},
        {"serve box.yaml --mirror udp:9002 --mavlink 127.0.0.1:14550", "exclude each other",
         "cannot be flown"},
        {"serve box.yaml --mirror flight.txt", "--mirror is udp:PORT", ""},
        {"train --origin 1,2", "--origin goes with --mavlink or --mirror", ""},
        {"serve box.yaml --mavlink 127.0.0.1:14550", "no vehicle for a ground station", ""},
        {"serve videoray_pro --set a.b=1 --mavlink 127.0.0.1:14550", "\"videoray_pro\" is a vehicle",
         "Write a scene"},
        {"run a b", "run takes SCENE; \"b\" is one too many", "usage"},
        {"run box.yaml --outt x", "no option --outt", "Did you mean --out?"},
        {"study box.yaml -out x", "no option -out", "Did you mean --out?"},
        {"study box.yaml -k8", "no option -k8", "lists the options"},
        {"study box.yaml -q8", "no option -q8", "lists the options"},
        {"run box.yaml --out", "--out needs a value", ""},
        {"run box.yaml --out=", "--out needs a value", ""},
        {"run box.yaml --csv --channels load.position.z", "--csv needs a value", ""},
        {"run box.yaml --quiet=yes", "--quiet takes no value", ""},
        {"run box.yaml --solver fast", "--solver is realtime or reference, not \"fast\"", ""},
        {"run box.yaml --duration long", "--duration needs a positive number", ""},
        {"run box.yaml --duration -1", "--duration needs a positive number", ""},
        {"run box.yaml --duration nan", "--duration needs a positive number", ""},
        {"run box.yaml --channels box.positon.z", "There is no channel box.positon.z",
         "Did you mean box.position.z?"},
        {"run box.yaml --channels 'bx.*'", "There is no channel bx.*", ""},
        {"run none.yaml", "none.yaml", ""},
        {"train --listen 0.0.0.0", "--listen needs --token", "16 characters"},
        {"train --listen 0.0.0.0 --token short", "--token must have 16 characters or more", "urandom"},
        {"view box.yaml --listen ::", "--listen needs --token", "16 characters"},
        {"train --listen eth0", "cannot listen on \"eth0\"", "numeric addresses"},
        {"train --listen 203.0.113.7 --token 0123456789abcdef", "does not have that address", "ip address"},
        {"train --port 70000", "--port must be a whole number from 1 to 65535", ""},
        {"train --close-idle soon", "--close-idle must be a whole number", ""},
        {"view", "view needs SCENE|RESULTS", ""},
        {"run .", "folder", ""},
        {"check none.yaml", "none.yaml", ""},
        {"validate nocase", "There is no case \"nocase\"", ""},
        {"bench nobench", "There is no benchmark \"nobench\"", ""},
        {"convert box.yaml", "convert needs IN OUT", "usage"},
        {"convert box.yaml x.doc", "x.doc does not say what to convert to", ".csv"},
        {"convert box.doc x.yaml", "nothing that convert can turn into a scene", ".ini"},
        {"convert none.h5 x.csv", "no such file", ""},
        {"report none.h5", "no such file", ""},
        {"report box.yaml", "is not a file with results", ""},
        {"report .", "results.h5", ""},
        {"run box.yaml --csv .", "it is a folder", ""},
        {"run box.yaml --csv none/x.csv", "no such file or folder", ""},
        {"run box.yaml --csv none/x.csv --out new/folder", "no such file or folder", ""},
        {"run box.yaml --csv /dev/full", "the disk is full", ""},
        {"run box.yaml --out box.yaml", "there is a file of that name", "--out"},
        {"run box.yaml --out box.yaml/x", "box.yaml", "--out"},
        {"validate -o .", "Cannot write .", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        int status = Hawser(cases[i].arguments);
        if (status != 2) fail_msg("hawser %s: status %d", cases[i].arguments, status);
        AssertSays(g_errors, cases[i].sentence);
        AssertSays(g_errors, cases[i].hint);
        assert_string_equal(g_output, "");
    }
    // Nothing was written on the way: the folder holds the scene alone.
    assert_int_equal(system("test \"$(ls -A)\" = box.yaml"), 0);
}

static void ErrorsInAFileNameTheLineAndColumn(void** state) {
    (void)state;
    PutFile("wrong.yaml", "hawser: 1\nduration: 1\nbodies:\n  - name: box\n    mas: 100\n");
    assert_int_equal(Hawser("check wrong.yaml"), 2);
    AssertSays(g_errors, "wrong.yaml:5:5: ");
    AssertSays(g_errors, "mas");
    assert_int_equal(Hawser("run wrong.yaml"), 2);
    AssertSays(g_errors, "wrong.yaml:5:5: ");
    assert_false(Exists("results"));
    PutFile("wrong.csv", "world.time,x\ns,m\n0,1\n1,one\n");
    assert_int_equal(Hawser("convert wrong.csv x.h5"), 2);
    AssertSays(g_errors, "wrong.csv:4:3: This is not a number.");
    assert_false(Exists("x.h5"));
    assert_int_equal(Hawser("report wrong.csv -o x.html"), 2);
    AssertSays(g_errors, "wrong.csv:4:3: ");
    assert_false(Exists("x.html"));
    // A channel to record that does not exist.
    PutFile("record.yaml",
            "hawser: 1\nduration: 1\nrecord: [box.posision.z]\nbodies:\n  - name: box\n    mass: 1\n"
            "    inertia: [1, 1, 1]\n");
    assert_int_equal(Hawser("check record.yaml"), 2);
    AssertSays(g_errors, "record.yaml");
    AssertSays(g_errors, "box.posision.z");
    AssertSays(g_errors, "box.position.z");
}

// What a table or a logbook from a stranger holds goes to the terminal without what drives one.
static void FilesOfOthersDoNotDriveTheTerminal(void** state) {
    (void)state;
    PutFile("tide.csv", "time,x,y,z,u,v,w\n0,0,0,0,\x1b[2J\xc2\x9b\xff,0,0\n1,0,0,-9,1,0,0\n");
    PutFile("tide.yaml", "hawser: 1\nduration: 1\nenvironment: {water: {}, current: {grid: tide.csv}}\n");
    assert_int_equal(Hawser("check tide.yaml"), 2);
    AssertSays(g_errors, "tide.csv");
    AssertSays(g_errors, "?[2J");
    assert_null(strpbrk(g_errors, "\x1b\x9b\xff"));
    PutFile("logbook.csv", "started,pilot,group,phase,lesson,flight,score,passed,complete,time,hits,gates,"
                           "task,time_term,turns,slack,wrap,"
                           "tension,return,awareness,error,version\n"
                           "2026-01-01T10:00:00Z,Zo\xc3\xab\x1b[31m,a,pre,first_flight,f1,80,1,1,77,0,0,1,1,"
                           "1,1,1,1,1,1,,0.1.0\n");
    assert_int_equal(Hawser("logbook --flights ."), 0);
    AssertSays(g_output, "Zo\xc3\xab?[31m");
    assert_null(strchr(g_output, 0x1b));
}

// A device may never end, and a study reads what its values name.
static void DevicesAreNoFiles(void** state) {
    (void)state;
    PutFile("endless.yaml", "hawser: 1\nduration: 1\nenvironment: {water: {}, current: {grid: /dev/zero}}\n");
    assert_int_equal(Hawser("check endless.yaml"), 2);
    AssertSays(g_errors, "endless.yaml:3:42: `/dev/zero` is a device, not a file");
    PutFile("still.yaml", "hawser: 1\nduration: 1\nenvironment: {water: {}, current: 0}\n");
    PutFile("endless_study.yaml", "hawser_study: 1\nscene: still.yaml\nparameters:\n"
                                  "  - {path: environment.current, values: [0, /dev/zero]}\n");
    Hawser("study endless_study.yaml --list");
}

static void AFullStandardOutputIsNoticed(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    static const char* const commands[] = {"--help", "check box.yaml", "validate --list",
                                           "run box.yaml --csv -"};
    for (int i = 0; i < 4; ++i) {
        char command[400];
        snprintf(command, sizeof(command), "'%s' %s >/dev/full 2>/dev/null", PROGRAM, commands[i]);
        int status = system(command);
        bool empty = i == 2; // there may be no case to list
        assert_true(WEXITSTATUS(status) == 2 || (empty && WEXITSTATUS(status) == 0));
    }
}

static void CheckDescribesTheModel(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    assert_int_equal(Hawser("check box.yaml"), 0);
    AssertSays(g_output, "box.yaml: good");
    AssertSays(g_output, "a box falls");
    AssertSays(g_output, "objects   box");
    assert_string_equal(g_errors, "");
}

// A load of 2,000 kg and 0.5 m3 on 10 m of wire with EA 2e6 N, 3 kg/m and 0.02 m.
static const char g_load[] = "hawser: 1\nduration: 1\nenvironment: {water: {density: 1000}, gravity: 10}\n"
                             "bodies:\n  - {name: load, mass: 2000, position: [0, 0, -10], inertia: [1, 1, "
                             "1], volume: 0.5, drag: {quadratic: "
                             "[1, 1, 1, 1, 1, 1]}}\n"
                             "cables:\n  - name: wire\n    sections: [{length: 10, elements: 5, diameter: "
                             "0.02, mass_per_length: 3, EA: 2e6}]\n"
                             "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load, at: [0, 0, 0]}}\n";

static void CheckPrintsWhatItUnderstood(void** state) {
    (void)state;
    PutFile("load.yaml", g_load);
    assert_int_equal(Hawser("check load.yaml"), 0);
    AssertSays(g_output, "2000 kg, 20 kN, 0.5 m3, 15 kN in water");
    AssertSays(g_output,
               "10 m, 30 kg, 0.268584 kN in water, 200 kN/m"); // 300 N less pi/4 0.02^2 10 m 1e4 N/m3
    // 2 pi sqrt((2000 + 30 / 3) / 2e5), 2 pi sqrt(10 / 10), 2 m sqrt(3 / 2e6)
    AssertSays(g_output, "bounces with a period of 0.63 s, swings with 6.28 s");
    AssertSays(g_output, "tension crosses an element of 2 m in 2.45 ms");
    AssertSays(g_output, "  cost      about ");
    assert_string_equal(g_errors, "");
}

// The trial of `check` ends in the middle of a row that would take long: here the only one, a chain that swings for a day.
static void CheckDoesNotRunALongRow(void** state) {
    (void)state;
    PutFile("day.yaml",
            "hawser: 1\nduration: 1e5\noutput: {interval: 1e5}\ncables:\n  - name: chain\n"
            "    sections: [{length: 50, elements: 400, diameter: 0.02, mass_per_length: 3, EA: 2e6}]\n"
            "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {joint: free}}\n"
            "    shape: {points: [[0, 0, 0], [50, 0, 0]]}\n");
    assert_int_equal(Hawser("check day.yaml"), 0);
    const char* trial = strstr(g_output, "by a trial of ");
    assert_non_null(trial);
    double seconds = strtod(trial + strlen("by a trial of "), NULL);
    assert_true(seconds > 0.0 && seconds < 1e4);
}

static void CheckWarnsOfWhatIsRarelyMeant(void** state) {
    (void)state;
    PutFile("load.yaml", g_load);
    static const struct {
        const char *set, *warning;
    } cases[] = {
        {"cables.wire.sections.0.diameter=30", "cable `wire` is 30 m thick"},
        {"cables.wire.sections.0.EA=300", "`EA` of cable `wire`, 300 N, is a modulus of 0.955 MPa"},
        {"cables.wire.sections.0.EA=1e12", "more than diamond's"},
        {"bodies.load.drag={quadratic: [0, 0, 0, 0, 0, 0]}", "`load` displaces water but has no drag"},
        {"bodies.load.added_mass=[2e10, 2e10, 2e10, 1, 1, 1]", "is 1e+07 times its mass"},
        // 10 m/s2 25 s2 / 2 pi = 39.8 m, of which 0.142 are 5.65 m
        {"environment.waves={airy: {height: 6, period: 5}}",
         "a wave of 5 s and 6 m height, 39.8 m long, would break: it can be 5.65 m high"},
        // k tanh(10 k) = (2 pi / 8)^2 / 9.81 at k = 0.08868
        {"environment={water: {}, seabed: {depth: 10}, waves: {airy: {height: 9, period: 8}}}",
         "70.9 m long, would break: it can be 7.14 m high"},
        {"environment.waves={jonswap: {hs: 15, tp: 5}}", "0.377 of the wave length by `tp`"},
        {"events=[{at: 5, set: {load.force.x: 1}}]", "an event at 5 s never happens: the scene ends at 1 s"},
        {"events=[{at: -2, set: {load.force.x: 1}}]",
         "an event at -2 s never happens: the scene starts at 0 s"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char command[300];
        snprintf(command, sizeof(command), "check load.yaml --set '%s'", cases[i].set);
        assert_int_equal(Hawser(command), 0);
        AssertSays(g_errors, cases[i].warning);
    }
}

// Asked for, drag and added mass come from the shapes, and the summary says so.
static void CheckNamesWhatIsEstimated(void** state) {
    (void)state;
    PutFile("box.yaml",
            "hawser: 1\nduration: 1\nenvironment: {water: {}}\nbodies: [{name: crate, mass: 900, shapes: "
            "[{box: [1, 1, 1]}]}]\n");
    assert_int_equal(Hawser("check box.yaml"), 0);
    AssertSays(g_errors,
               "`crate` displaces water but has no drag: give it `drag`, or `hydro_from_shapes: true`");
    assert_int_equal(Hawser("check box.yaml --set bodies.crate.hydro_from_shapes=true"), 0);
    assert_string_equal(g_errors, "");
    AssertSays(g_output, "drag and added mass from its shapes");
}

static void ChannelsAreListed(void** state) {
    (void)state;
    PutFile("load.yaml", g_load);
    assert_int_equal(Hawser("channels load.yaml"), 0);
    AssertSays(g_output, "world.time");
    AssertSays(g_output, "wire.a.tension");
    assert_int_equal(Hawser("channels load.yaml 'load.position.*'"), 0);
    AssertSays(g_output, "load.position.z  m              -10");
    assert_null(strstr(g_output, "tension"));
    assert_int_equal(Hawser("channels load.yaml load.posision.z"), 2);
    AssertSays(g_errors, "Did you mean load.position.z?");
    assert_int_equal(Hawser("channels load.yaml --inputs"), 0);
    AssertSays(g_output, "environment.current.x  m/s");
    assert_int_equal(Hawser("channels load.yaml --inputs 'load.force.*'"), 0);
    AssertSays(g_output, "load.force.z  N                0");
    assert_null(strstr(g_output, "current"));
    assert_int_equal(Hawser("channels load.yaml --inputs 'lode.*'"), 2);
    AssertSays(g_errors, "No input fits.");
}

static void SettingsReplaceValuesOfTheScene(void** state) {
    (void)state;
    PutFile("load.yaml", g_load);
    // an object in a list by its name, an entry by its number, a key that is not there yet, a whole mapping
    assert_int_equal(
        Hawser("check load.yaml --set bodies.load.mass=3000 --set cables.wire.sections.0.length=20 --set "
               "environment.water.surface=1 --set 'start={time: 5}' --set duration=2"),
        0);
    AssertSays(g_output, "3000 kg");
    AssertSays(g_output, "20 m, 60 kg");
    AssertSays(g_output, "2 s from 5 s");
    static const struct {
        const char *set, *sentence, *hint;
    } cases[] = {
        {"bodies.lod.mass=1", "`bodies.lod.mass`: nothing there is called `lod`", "did you mean `load`?"},
        {"bodies.load.mas=1", "did you mean `mass`?", "the value comes from the setting `bodies.load.mas=1`"},
        {"bodies.load.mass=-1", "`mass` is -1, but must be above 0 kg", "the setting `bodies.load.mass=-1`"},
        {"cables.wire.sections.7.EA=1", "the list has 1 entries, numbered from 0", ""},
        {"duration.x=1", "`duration.x` leads below 1, which has no keys", ""},
        {"duration", "sets nothing", ""},
        {"=3", "sets nothing", ""},
        {"duration=", "sets nothing", ""},
        {"bodies..mass=3", "is no path", ""},
        {"bodies.load.position=[1, 2", "cannot be read", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char command[300];
        snprintf(command, sizeof(command), "run load.yaml --csv - -q --set '%s'", cases[i].set);
        assert_int_equal(Hawser(command), 2);
        AssertSays(g_errors, cases[i].sentence);
        AssertSays(g_errors, cases[i].hint);
    }
}

// Every case is on the validation page, and every case on the page exists: `make docs` writes it.
static void TheValidationPageHasEveryCase(void** state) {
    (void)state;
    static char page[400000];
    assert_non_null(ReadAll(HAWSER_SOURCE_DIR "/docs/validation.md", page, sizeof(page)));
    // the page comes from the build's program, with the cases that look inside the library
    assert_int_equal(system("'" PROGRAM "' validate --list >.out"), 0);
    ReadAll(".out", g_output, sizeof(g_output));
    int cases = 0, headings = 0;
    for (char* line = strtok(g_output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char heading[128];
        snprintf(heading, sizeof(heading), "\n## %.*s\n", (int)strcspn(line, " "), line);
        AssertSays(page, heading);
        cases++;
    }
    for (const char* at = page; (at = strstr(at, "\n## ")) != NULL; at++) headings++;
    assert_int_equal(cases, headings);
    AssertSays(page, "quantities pass");
    assert_null(strstr(page, "| **no** |"));
}

// A difference of 1 N in a range of 4 N, against limits below and above it.
static void ComparingWithMoordynIsACheck(void** state) {
    (void)state;
    PutFile("own.dat",
            "--- LINE TYPES ---\nn\nu\nchain 0.1 80 1e8 1e5 0 1 1 0 0\n--- POINTS ---\nn\nu\n"
            "1 Fixed 0 0 0 0 0 0 0\n2 Fixed 9 0 0 0 0 0 0\n--- LINES ---\nn\nu\n1 chain 1 2 10 2 -\n");
    PutFile("own.out", "Time FairTen1 Con1px\n(s) (N) (m)\n0 5 0\n1 9 0\n");
    PutFile("own.csv",
            "world.time,line1.b.force.x,line1.b.force.y,line1.b.force.z\ns,N,N,N\n0,3,4,0\n2,12,16,0\n");
    assert_int_equal(Hawser("compare own.dat own.out own.csv"), 0);
    AssertSays(g_output, "line1.b.force (N)");
    AssertSays(g_output, "Con1px: has no counterpart, or is held");
    assert_int_equal(Hawser("compare own.dat own.out own.csv --limit 4"), 0);
    AssertSays(g_output, "within");
    assert_int_equal(Hawser("compare own.dat own.out own.csv --limit 3"), 1);
    AssertSays(g_output, "OUTSIDE");
    assert_int_equal(Hawser("compare own.dat own.out own.csv --share 0.5"), 1);
    assert_int_equal(Hawser("compare own.dat own.out own.csv --to 0.5 --limit 1e-9"), 0);
    assert_int_equal(Hawser("compare own.dat own.out own.csv --limit much"), 2);
    AssertSays(g_errors, "--limit takes a number, not much.");
    assert_int_equal(Hawser("compare own.dat own.out own.csv --line -1"), 2);
    assert_int_equal(Hawser("compare own.dat nowhere.out own.csv"), 2);
}

// The gains that `tune` writes are a section of a vehicle file: with them in place of its own, the file is read and flown.
static void TuneWritesASectionOfAVehicleFile(void** state) {
    (void)state;
    assert_int_equal(Hawser("tune videoray_pro -o gains.yaml"), 0);
    char gains[4000], command[400];
    assert_non_null(ReadAll("gains.yaml", gains, sizeof(gains)));
    AssertSays(gains, "autopilot:");
    AssertSays(gains, "  depth: {kp: ");
    AssertSays(gains, "  heading: {kp: ");
    assert_null(strstr(gains, "position")); // it cannot sway
    assert_null(strstr(gains, "did not settle"));
    snprintf(command, sizeof(command),
             "awk '/^autopilot:/{skip=1; next} /^[a-z]/{skip=0} !skip' %s/vehicles/videoray_pro.yaml > "
             "tuned.yaml && "
             "cat gains.yaml >> tuned.yaml",
             HAWSER_SOURCE_DIR);
    assert_int_equal(system(command), 0);
    PutFile("flown.yaml",
            "hawser: 1\nduration: 1\nenvironment: {water: {density: 1025}}\n"
            "vehicles: [{name: rov, model: tuned.yaml, position: [0, 0, -5], armed: true, mode: hold}]\n");
    assert_int_equal(Hawser("check flown.yaml"), 0);
    assert_int_equal(Hawser("tune no_such_vehicle"), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(TuneWritesASectionOfAVehicleFile, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(HelpAndVersionSucceed, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(CheckOfAVehicleTellsBothWays, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(WrongUseIsRefused, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ErrorsInAFileNameTheLineAndColumn, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(FilesOfOthersDoNotDriveTheTerminal, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(DevicesAreNoFiles, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(AFullStandardOutputIsNoticed, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(CheckDescribesTheModel, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(CheckPrintsWhatItUnderstood, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(CheckDoesNotRunALongRow, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(CheckWarnsOfWhatIsRarelyMeant, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(CheckNamesWhatIsEstimated, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ChannelsAreListed, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(SettingsReplaceValuesOfTheScene, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(TheValidationPageHasEveryCase, OpenFolder, CloseFolder),
        cmocka_unit_test(ComparingWithMoordynIsACheck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
