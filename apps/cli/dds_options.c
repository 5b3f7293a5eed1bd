#include "apps/cli/dds_options.h"

#include "apps/cli/cli.h"

#include <stdlib.h>
#include <string.h>

// Adds the links of a list with commas.
static bool AddLinks(hwDdsOptions* options, hwCouplingKind kind, const char* list) {
    while (list != NULL && *list != 0) {
        char text[300];
        size_t length = strcspn(list, ",");
        if (options->def.federate.linkCount == HW_MOST_COUPLINGS) {
            hwCli_Complain(NULL, "A federate has at most %d links.", HW_MOST_COUPLINGS);
            return false;
        }
        snprintf(text, sizeof(text), "%.*s", (int)length, list);
        hwError error;
        hwCouplingDef* link = &options->links[options->def.federate.linkCount++];
        if (length >= sizeof(text) || !hwCouplingDef_Parse(link, kind, text, &error)) {
            if (length >= sizeof(text))
                hwCli_Complain(NULL, "The name of a link is too long.");
            else
                hwCli_PrintError(NULL, &error);
            return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}

// The scene's file without folder and ending.
static void NameAfter(char* name, size_t size, const char* scene) {
    const char* last = strrchr(scene, '/');
    snprintf(name, size, "%s", last != NULL ? last + 1 : scene);
    char* dot = strrchr(name, '.');
    if (dot != NULL && dot != name) *dot = 0;
}

bool hwDdsOptions_Parse(hwDdsOptions* options, const hwDdsTexts* texts, const char* scene) {
    memset(options, 0, sizeof(*options));
    options->used = texts->domain != NULL;
    if (!options->used) {
        bool lonely = texts->name || texts->network || texts->keep || texts->step || texts->ports ||
                      texts->ends || texts->send || texts->receive;
        if (lonely) {
            hwCli_Complain(
                "As in hawser serve crane.yaml --dds 0 --ports crane.boom@10:0:0=hook.",
                "--name, --network, --keep, --step, --ports, --ends, --send and --receive go with --dds.");
        }
        return !lonely;
    }
    char* end = NULL;
    long domain = strtol(texts->domain, &end, 10);
    // beyond 232 there are no ports
    if (end == texts->domain || *end != 0 || domain < 0 || domain > 232) {
        hwCli_Complain("ROS 2 nodes are in domain 0, or that of ROS_DOMAIN_ID.",
                       "--dds must be a domain of 0 to 232, not \"%s\".", texts->domain);
        return false;
    }
    hwDdsDef* def = &options->def;
    def->domain = (int)domain;
    if (texts->name != NULL)
        snprintf(options->name, sizeof(options->name), "%s", texts->name);
    else
        NameAfter(options->name, sizeof(options->name), scene);
    def->name = options->name;
    def->network = texts->network;
    def->keep = texts->keep;
    def->log = hwCli_Log;
    def->federate.free = texts->free != NULL;
    bool good = AddLinks(options, HW_COUPLING_PORT, texts->ports) &&
                AddLinks(options, HW_COUPLING_END, texts->ends) &&
                AddLinks(options, HW_COUPLING_SEND, texts->send) &&
                AddLinks(options, HW_COUPLING_RECEIVE, texts->receive);
    def->federate.links = options->links;
    // a topic's interval is two of the latter; every end of a step costs
    def->federate.interval = def->federate.linkCount > 0 ? 1e-3 : 1e-2;
    return good && (texts->step == NULL || hwCli_ParsePositive("step", texts->step, &def->federate.interval));
}
