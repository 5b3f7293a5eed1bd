import { describe, expect, it } from "vitest";
import { blendLines, ghostAt, parseGhosts } from "../../src/net/ghosts";

const TEXT = "time,model,apart,points\n1,wrap_line,0.50,0 0 0;4 0 0\n1.5,wrap_line,1.50,0 0 0;2 2 0;4 4 0\n5,pid,0.1,0 0 1;4 0 1\n5.5,wrap_vee,0.1,0 0 2;4 0 2\n6,wrap_vee,0.2,0 0";

describe("the ghost of a recording", () => {
    it("is read up to what was cut off", () => {
        const lines = parseGhosts(TEXT);
        expect(lines.map(({ time, model }) => [time, model])).toEqual([[1, "wrap_line"], [1.5, "wrap_line"], [5, "pid"], [5.5, "wrap_vee"]]);
        expect(lines[1]!.line).toEqual([[0, 0, 0], [2, 2, 0], [4, 4, 0]]);
        expect(parseGhosts("")).toEqual([]);
    });

    it("goes from one line to the next, with the corners of both", () => {
        expect(blendLines([[0, 0, 0], [4, 0, 0]], [[0, 0, 0], [2, 2, 0], [4, 4, 0]], 0.5)).toEqual([[0, 0, 0], [2, 1, 0], [4, 2, 0]]);
        const corner = blendLines([[0, 0, 0], [1, 0, 0], [1, 3, 0]], [[0, 0, 0], [1, 0, 0], [1, 3, 0]], 0.3);
        expect(corner).toEqual([[0, 0, 0], [1, 0, 0], [1, 3, 0]]);
        const now = ghostAt(parseGhosts(TEXT), 1.25)!;
        expect(now.apart).toBeCloseTo(1);
        expect(now.line).toEqual([[0, 0, 0], [2, 1, 0], [4, 2, 0]]);
    });

    it("is there when it was shown, and of one model at a time", () => {
        const lines = parseGhosts(TEXT);
        expect(ghostAt(lines, 0.9)).toBe(null);
        expect(ghostAt(lines, 2.2)).toBe(lines[1]);
        expect(ghostAt(lines, 3)).toBe(null);
        expect(ghostAt(lines, 5.25)).toBe(lines[2]);
        expect(ghostAt(lines, 6)).toBe(lines[3]);
        expect(ghostAt([], 1)).toBe(null);
    });
});
