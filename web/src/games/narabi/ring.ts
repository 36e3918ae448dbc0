/**
 * Where the stones lie: one superellipse, in units of half the box, y down, so that any box works.
 *
 * The row of whoever looks lies flat at the bottom, its place 0 at the right; the others' stones lie at equal distances
 * along the upper part, clockwise from the left, with more room between two rows than within one.
 */
export interface Point {
  readonly x: number;
  readonly y: number;
}
/** A point and the way inwards from it. */
export interface Spot extends Point {
  readonly nx: number;
  readonly ny: number;
}

export interface Shape {
  readonly power: number;
  readonly rx: number;
  readonly ry: number;
  /** about how much wider than high the box is: distances are measured so */
  readonly aspect: number;
  readonly ownY: number;
  /** between two stones of the own row, by how many they are */
  readonly step: (row: number) => number;
  /** how low the others' stones begin */
  readonly low: (row: number) => number;
}

export const WIDE: Shape = {
  power: 2.6, rx: 0.86, ry: 0.8, aspect: 1.65, ownY: 0.82,
  step: (row) => (row <= 3 ? 0.4 : row === 4 ? 0.36 : 1.2 / (row - 1)),
  low: (row) => (row <= 3 ? 0.611 : 0.405),
};
export const TALL: Shape = {
  power: 2.4, rx: 0.86, ry: 0.86, aspect: 1, ownY: 0.86,
  step: (row) => (row <= 3 ? 0.64 : 1.42 / (row - 1)),
  low: () => 0.4,
};

/** Between two rows, in distances within a row. */
const GAP = 1.35;
/** So many distances fill the whole arc; fewer stones keep to its top. */
const FULL = 7;

export interface Layout {
  /** by place */
  readonly places: readonly Point[];
  /** by seat: where its chip stands */
  readonly chips: readonly Spot[];
  /** by seat: its bed, as a path in hundredths */
  readonly beds: readonly string[];
  /** the whole channel */
  readonly channel: string;
}

const power = (x: number, p: number): number => Math.sign(x) * Math.abs(x) ** p;

function onCurve(shape: Shape, angle: number): Point {
  const p = 2 / shape.power;
  return { x: shape.rx * power(Math.cos(angle), p), y: shape.ry * power(Math.sin(angle), p) };
}

function inwards(shape: Shape, { x, y }: Point): Spot {
  const gx = power(x / shape.rx, shape.power - 1) / shape.rx / shape.aspect;
  const gy = power(y / shape.ry, shape.power - 1) / shape.ry;
  const length = Math.hypot(gx, gy) || 1;
  return { x, y, nx: -gx / length, ny: -gy / length };
}

/** The upper part of the curve by distance: `at(0)` its left end, `at(1)` its right end. */
function upper(shape: Shape, low: number): { at: (part: number) => Point; length: number } {
  const dip = Math.asin((low / shape.ry) ** (shape.power / 2));
  const [start, end, n] = [Math.PI - dip, 2 * Math.PI + dip, 480];
  const points = Array.from({ length: n + 1 }, (_, i) => onCurve(shape, start + ((end - start) * i) / n));
  const sums = [0];
  for (let i = 1; i <= n; i++) {
    sums.push(sums[i - 1]! + Math.hypot((points[i]!.x - points[i - 1]!.x) * shape.aspect, points[i]!.y - points[i - 1]!.y));
  }
  const length = sums[n]!;
  const at = (part: number): Point => {
    const want = Math.min(1, Math.max(0, part)) * length;
    const i = Math.max(1, sums.findIndex((sum) => sum >= want));
    const [a, b] = [points[i - 1]!, points[i]!];
    const t = (want - sums[i - 1]!) / (sums[i]! - sums[i - 1]! || 1);
    return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
  };
  return { at, length };
}

const round = (n: number): number => Math.round(n * 1000) / 10;

/** A smooth path through points, in hundredths. */
export function smooth(points: readonly Point[], closed = false): string {
  const n = points.length;
  const at = (i: number): Point => (closed ? points[(i + n) % n]! : points[Math.min(n - 1, Math.max(0, i))]!);
  const xy = (p: Point): string => `${round(p.x)} ${round(p.y)}`;
  if (n === 1) return `M${xy(at(0))}l.01 0`;
  const pieces = Array.from({ length: closed ? n : n - 1 }, (_, i) => {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    const one = { x: b.x + (c.x - a.x) / 6, y: b.y + (c.y - a.y) / 6 };
    const two = { x: c.x - (d.x - b.x) / 6, y: c.y - (d.y - b.y) / 6 };
    return `C${xy(one)} ${xy(two)} ${xy(c)}`;
  });
  return `M${xy(at(0))}${pieces.join("")}${closed ? "z" : ""}`;
}

/** All places of a table, with this seat below. */
export function layout(shape: Shape, players: number, row: number, below: number): Layout {
  const others = players - 1;
  const units = Math.max(0, others * (row - 1) + (others - 1) * GAP);
  const { at } = upper(shape, shape.low(row));
  const fill = Math.min(1, Math.max(0.4, units / FULL));
  const on = (unit: number): Point => at(units ? 0.5 + (unit / units - 0.5) * fill : 0.5);
  const unitOf = (turn: number, i: number): number => turn * (row - 1 + GAP) + i;

  const places: Point[] = [];
  const chips: Spot[] = [];
  const beds: string[] = [];
  const step = shape.step(row);
  for (let seat = 0; seat < players; seat++) {
    const turn = (seat - below + players) % players;
    if (turn === 0) {
      const mine = Array.from({ length: row }, (_, i) => ({ x: ((row - 1) / 2 - i) * step, y: shape.ownY }));
      places.push(...mine);
      chips.push({ x: row > 1 ? mine[0]!.x - step / 2 : 0, y: shape.ownY, nx: 0, ny: -1 });
      beds.push(smooth(mine));
      continue;
    }
    const unit = (i: number): number => unitOf(turn - 1, i);
    places.push(...Array.from({ length: row }, (_, i) => on(unit(i))));
    chips.push(inwards(shape, on(unit(row > 1 ? Math.floor(row / 2) - 0.5 : 0))));
    const pieces = Math.max(1, (row - 1) * 5);
    beds.push(row > 1 ? smooth(Array.from({ length: pieces + 1 }, (_, i) => on(unit((i / pieces) * (row - 1))))) : smooth([on(unit(0))]));
  }
  return { places, chips, beds, channel: smooth(Array.from({ length: 48 }, (_, i) => onCurve(shape, (i / 48) * 2 * Math.PI)), true) };
}

/**
 * The numbers of an ordered ring as a line: from the lowest to the highest, the way round that they stand.
 * Blanks between them are passed over, those after the highest are left out.
 */
export function orderLine(places: readonly Point[], numbers: readonly (number | null)[], direction: "clockwise" | "counterclockwise" | null): string {
  const there = numbers.filter((n) => n !== null);
  const [first, last] = [numbers.indexOf(Math.min(...there)), numbers.indexOf(Math.max(...there))];
  if (first < 0 || last < 0 || first === last) return "";
  const way = direction === "counterclockwise" ? -1 : 1;
  const walked: Point[] = [];
  for (let at = first, n = 0; n < places.length; n++, at = (at + way + places.length) % places.length) {
    walked.push(places[at]!);
    if (at === last) break;
  }
  return smooth(walked);
}
