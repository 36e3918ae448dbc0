import { describe, expect, test } from "vitest";
import { head, route, type Disc } from "./line.ts";
import { layout, orderLine, TALL, WIDE } from "./ring.ts";

const TABLES = [[3, 1], [3, 4], [3, 5], [4, 1], [4, 3], [5, 3]] as const;
const BOXES = { wide: [930, 540], tall: [336, 400] } as const;

describe("the ring", () => {
  for (const [players, row] of TABLES) {
    for (const [name, shape] of [["wide", WIDE], ["tall", TALL]] as const) {
      const [width, height] = BOXES[name];
      test(`${players} rows of ${row}, ${name}: clockwise from the own row’s right end, no two stones touch`, () => {
        const { places } = layout(shape, players, row, 0);
        expect(places).toHaveLength(players * row);
        const px = places.map(({ x, y }) => ({ x: (x * width) / 2, y: (y * height) / 2 }));
        px.forEach((a, i) => px.slice(i + 1).forEach((b) => expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(44)));
        if (players * row > 4) {
          const turns = px.map(({ x, y }) => Math.atan2(y, x));
          const sum = turns.reduce((all, turn, i) => all + ((turns[(i + 1) % turns.length]! - turn + 4 * Math.PI) % (2 * Math.PI)), 0);
          expect(sum).toBeCloseTo(2 * Math.PI, 5);
        }
        places.forEach(({ x, y }) => expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(0.9));
      });
    }
  }

  test("whoever looks sits below", () => {
    const { places, chips } = layout(WIDE, 4, 3, 2);
    expect(places.slice(6, 9).map(({ y }) => y)).toEqual([0.82, 0.82, 0.82]);
    expect(places[6]!.x).toBeGreaterThan(places[8]!.x);
    // the next seat clockwise is at the left
    expect(chips[3]!.x).toBeLessThan(0);
    expect(chips[1]!.x).toBeGreaterThan(0);
  });

  test("the order runs from the lowest number to the highest, past blanks, either way", () => {
    const places = Array.from({ length: 6 }, (_, x) => ({ x, y: 0 }));
    const ends = (line: string): (string | undefined)[] => [/^M([\d.-]+)/.exec(line)?.[1], / ([\d.-]+) [\d.-]+$/.exec(line)?.[1]];
    expect(ends(orderLine(places, [1, null, 2, null, 0, null], "clockwise"))).toEqual(["400", "200"]);
    expect(ends(orderLine(places, [1, null, 0, null, 2, null], "counterclockwise"))).toEqual(["200", "400"]);
    expect(orderLine(places, [null, 0, null, null, null, null], "clockwise")).toBe("");
  });
});

describe("the line between two stones", () => {
  for (const [players, row] of TABLES) {
    for (const [name, shape] of [["wide", WIDE], ["tall", TALL]] as const) {
      test(`${players} rows of ${row}, ${name}: crosses no seat’s sign and not the dial`, () => {
        const [width, height] = BOXES[name];
        const [stone, sign, dial] = name === "wide" ? [34, [30, 15], 78] : [23, [11, 11], 66];
        const { places, chips } = layout(shape, players, row, 0);
        const at = ({ x, y }: { x: number; y: number }, r: number): Disc => ({ x: ((x + 1) * width) / 2, y: ((y + 1) * height) / 2, r });
        const off = stone + 8;
        const boxes = chips.map((chip) => {
          const { x, y } = at(chip, 0);
          const [cx, cy] = [x + chip.nx * (off + sign[0]! * 0.5), y + chip.ny * (off + sign[1]! * 0.3)];
          return { left: cx - sign[0]!, right: cx + sign[0]!, top: cy - sign[1]!, bottom: cy + sign[1]! };
        });
        let crossed = 0;
        let all = 0;
        places.forEach((a, i) => places.forEach((b, j) => {
          if (i >= j || Math.floor(i / row) === Math.floor(j / row)) return;
          const others = places.filter((_, k) => k !== i && k !== j).map((one) => at(one, stone));
          const line = route(at(a, stone + 11), at(b, stone + 11), [...others, { x: width / 2, y: height / 2, r: dial }], boxes, width, height);
          all += 1;
          if (line.clear < 0) crossed += 1;
        }));
        expect(crossed / all).toBeLessThan(0.04);
      });
    }
  }

  test("has a head where it ends", () => {
    expect(head({ x: 10, y: 0 }, { x: 0, y: 0 })).toMatch(/^M.*L10\.0 0\.0L/);
  });
});
