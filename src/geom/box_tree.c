#include "geom/box_tree.h"

#define LEAF 2   // items of a leaf
#define STACK 64 // halving leaves at most 31 levels

static double GetMiddle(const hwBox* box, int axis) {
    hwVec3 sum = hwAdd(box->low, box->high);
    return axis == 0 ? sum.x : axis == 1 ? sum.y : sum.z;
}

// Equal middles go by number, so that the order is one.
static bool IsBefore(const hwBoxTree* tree, int axis, int a, int b) {
    double x = GetMiddle(&tree->boxes[a], axis), y = GetMiddle(&tree->boxes[b], axis);
    return x < y || (x == y && a < b);
}

// Puts the `middle` smallest of the items first (Hoare's selection).
static void SelectElement(const hwBoxTree* tree, int axis, int* items, int count, int middle) {
    int low = 0, high = count - 1;
    while (low < high) {
        int pivot = items[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (IsBefore(tree, axis, items[i], pivot)) i += 1;
            while (IsBefore(tree, axis, pivot, items[j])) j -= 1;
            if (i > j) break;
            int swap = items[i];
            items[i++] = items[j];
            items[j--] = swap;
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static int FindLongestAxis(const hwBoxTree* tree, const int* items, int count) {
    hwBox middles = hwBox_Empty();
    for (int i = 0; i < count; ++i) {
        const hwBox* box = &tree->boxes[items[i]];
        middles = hwBox_AddPoint(middles, hwAdd(box->low, box->high));
    }
    hwVec3 d = hwSub(middles.high, middles.low);
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
}

// Depth first, so that the first child of a node follows it. Recursion is as deep as the tree, at most 31.
static void BuildTree(hwBoxTree* tree, int first, int count) {
    int at = tree->nodeCount++;
    hwBoxTreeNode* node = &tree->nodes[at];
    node->box = hwBox_Empty();
    for (int i = 0; i < count; ++i) node->box = hwBox_Join(node->box, tree->boxes[tree->order[first + i]]);
    node->first = first;
    node->count = count;
    node->second = 0;
    if (count <= LEAF) return;
    node->count = 0;
    int axis = FindLongestAxis(tree, tree->order + first, count);
    SelectElement(tree, axis, tree->order + first, count, count / 2);
    BuildTree(tree, first, count / 2);
    tree->nodes[at].second = tree->nodeCount;
    BuildTree(tree, first + count / 2, count - count / 2);
}

void hwBoxTree_Build(hwBoxTree* tree, int count, const hwBox* boxes, int* order, hwBoxTreeNode* nodes) {
    tree->count = count;
    tree->boxes = boxes;
    tree->order = order;
    tree->nodes = nodes;
    tree->nodeCount = 0;
    for (int i = 0; i < count; ++i) order[i] = i;
    if (count > 0) BuildTree(tree, 0, count);
}

// What a traversal asks of boxes: the measure by which they are ordered and cut off.
typedef struct Question {
    hwVec3 origin;
    hwVec3 direction;
    double radius;
    bool ray;
} Question;

double hwBox_GetEntry(const hwBox* box, hwVec3 from, hwVec3 along, double radius, double most) {
    double enter = 0.0, leave = most;
    const double low[3] = {box->low.x, box->low.y, box->low.z},
                 high[3] = {box->high.x, box->high.y, box->high.z};
    const double origin[3] = {from.x, from.y, from.z}, direction[3] = {along.x, along.y, along.z};
    for (int k = 0; k < 3; ++k) {
        double a = low[k] - radius - origin[k], b = high[k] + radius - origin[k];
        if (direction[k] == 0.0) {
            if (a > 0.0 || b < 0.0) return HUGE_VAL;
            continue;
        }
        a /= direction[k];
        b /= direction[k];
        double near = a < b ? a : b, far = a < b ? b : a;
        if (near > enter) enter = near;
        if (far < leave) leave = far;
    }
    return enter <= leave ? enter : HUGE_VAL;
}

static double GetDistance(hwVec3 point, const hwBox* box) {
    hwVec3 nearest = hwMaxVec3(box->low, hwMinVec3(box->high, point));
    return hwDistance(nearest, point);
}

static double MeasureBox(const Question* q, const hwBox* box, double most) {
    return q->ray ? hwBox_GetEntry(box, q->origin, q->direction, q->radius, most)
                  : GetDistance(q->origin, box);
}

typedef struct Waiting {
    int node;
    double at;
} Waiting;

static void TraverseTree(const hwBoxTree* tree, const Question* q, double most, hwBoxTreeFn* visit,
                         void* context) {
    if (tree->count == 0) return;
    Waiting stack[STACK];
    int top = 0;
    stack[top++] = (Waiting){0, MeasureBox(q, &tree->nodes[0].box, most)};
    while (top > 0) {
        Waiting next = stack[--top];
        if (!(next.at <= most)) continue;
        const hwBoxTreeNode* node = &tree->nodes[next.node];
        for (int i = 0; i < node->count; ++i) {
            int item = tree->order[node->first + i];
            if (!(MeasureBox(q, &tree->boxes[item], most) <= most)) continue;
            most = visit(item, most, context);
            if (most < 0.0) return;
        }
        if (node->count > 0) continue;
        Waiting a = {next.node + 1, MeasureBox(q, &tree->nodes[next.node + 1].box, most)};
        Waiting b = {node->second, MeasureBox(q, &tree->nodes[node->second].box, most)};
        bool firstIsNearer = a.at <= b.at;
        stack[top++] = firstIsNearer ? b : a;
        stack[top++] = firstIsNearer ? a : b;
    }
}

void hwBoxTree_CastRay(const hwBoxTree* tree, hwVec3 origin, hwVec3 direction, double radius, double tMax,
                       hwBoxTreeFn* visit, void* context) {
    Question q = {.origin = origin, .direction = direction, .radius = radius, .ray = true};
    TraverseTree(tree, &q, tMax, visit, context);
}

void hwBoxTree_FindNear(const hwBoxTree* tree, hwVec3 point, double reach, hwBoxTreeFn* visit,
                        void* context) {
    Question q = {.origin = point};
    TraverseTree(tree, &q, reach, visit, context);
}

void hwBoxTree_FindInBox(const hwBoxTree* tree, hwBox box, hwBoxTreeFn* visit, void* context) {
    if (tree->count == 0) return;
    int stack[STACK], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const hwBoxTreeNode* node = &tree->nodes[stack[--top]];
        if (!hwBox_Overlaps(&node->box, &box)) continue;
        for (int i = 0; i < node->count; ++i) {
            int item = tree->order[node->first + i];
            if (hwBox_Overlaps(&tree->boxes[item], &box) && visit(item, 0.0, context) < 0.0) return;
        }
        if (node->count > 0) continue;
        stack[top++] = node->second;
        stack[top++] = (int)(node - tree->nodes) + 1;
    }
}

// Distance of the box where it may meet the wedge; +inf where it is beyond one of its planes or its reach.
static double MeasureInWedge(const hwWedge* wedge, const hwBox* box) {
    hwVec3 half = hwScale(0.5, hwSub(box->high, box->low)), middle = hwAdd(box->low, half);
    hwVec3 away = hwSub(middle, wedge->origin);
    for (int k = 0; k < 4; ++k) {
        hwVec3 n = wedge->inward[k];
        double most = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
        if (hwDot(n, away) + most < 0.0) return HUGE_VAL;
    }
    double distance = GetDistance(wedge->origin, box);
    return distance <= wedge->reach ? distance : HUGE_VAL;
}

void hwBoxTree_FindInWedge(const hwBoxTree* tree, const hwWedge* wedge, hwBoxTreeFn* visit, void* context) {
    if (tree->count == 0) return;
    int stack[STACK], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const hwBoxTreeNode* node = &tree->nodes[stack[--top]];
        if (MeasureInWedge(wedge, &node->box) == HUGE_VAL) continue;
        for (int i = 0; i < node->count; ++i) {
            int item = tree->order[node->first + i];
            double distance = MeasureInWedge(wedge, &tree->boxes[item]);
            if (distance < HUGE_VAL && visit(item, distance, context) < 0.0) return;
        }
        if (node->count > 0) continue;
        stack[top++] = node->second;
        stack[top++] = (int)(node - tree->nodes) + 1;
    }
}
