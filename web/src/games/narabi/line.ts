/** The line between two chosen stones: bent so that it crosses no seat's sign, no other stone and not the dial. */
import type { Point } from "./ring.ts";

export interface Disc extends Point {
  readonly r: number;
}
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
export interface Line {
  readonly path: string;
  readonly start: Point;
  readonly end: Point;
  /** where it bends to: the arrows' directions */
  readonly bend: Point;
  /** how near it comes to anything, px; negative: it crosses */
  readonly clear: number;
}

const STEPS = 24;
/** How near a line may come, px. */
const NEAR = 7;

const between = (a: Point, q: Point, b: Point, t: number): Point => {
  const u = 1 - t;
  return { x: u * u * a.x + 2 * u * t * q.x + t * t * b.x, y: u * u * a.y + 2 * u * t * q.y + t * t * b.y };
};

const toBox = ({ x, y }: Point, box: Box): number => {
  const [dx, dy] = [Math.max(box.left - x, x - box.right), Math.max(box.top - y, y - box.bottom)];
  return dx > 0 && dy > 0 ? Math.hypot(dx, dy) : Math.max(dx, dy);
};

function trim(from: Disc, towards: Point): Point {
  const d = Math.hypot(towards.x - from.x, towards.y - from.y) || 1;
  return { x: from.x + ((towards.x - from.x) / d) * from.r, y: from.y + ((towards.y - from.y) / d) * from.r };
}

/** Of many bends, the straightest that keeps clear of everything, or else the one that comes nearest to that. */
export function route(a: Disc, b: Disc, discs: readonly Disc[], boxes: readonly Box[], width: number, height: number): Line {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [nx, ny] = [(b.y - a.y) / length, (a.x - b.x) / length];
  let best: Line | null = null;
  let worst = Infinity;
  for (let along = -0.45; along <= 0.46; along += 0.15) {
    for (let out = -1.5; out <= 1.51; out += 0.1) {
      const off = out * Math.min(width, height) * 0.8;
      const bend = { x: middle.x + (b.x - a.x) * along + nx * off, y: middle.y + (b.y - a.y) * along + ny * off };
      const [start, end] = [trim(a, bend), trim(b, bend)];
      let clear = Infinity;
      let cost = Math.abs(off) * 0.12 + Math.abs(along) * 20;
      for (let i = 1; i < STEPS; i++) {
        const p = between(start, bend, end, i / STEPS);
        const edge = Math.min(p.x, p.y, width - p.x, height - p.y);
        let near = edge;
        // a head is wider than the line
        const head = i <= 1 || i >= STEPS - 1 ? 5 : 0;
        for (const disc of discs) near = Math.min(near, Math.hypot(p.x - disc.x, p.y - disc.y) - disc.r);
        for (const box of boxes) {
          const gap = toBox(p, box) - head;
          near = Math.min(near, gap);
          // rather near a stone than over a seat's sign
          if (gap < 3) cost += 250 + (3 - gap) * 30;
        }
        clear = Math.min(clear, near);
        if (near < NEAR) cost += (NEAR - near) * 6 + (near < 0 ? 60 : 0);
      }
      if (cost < worst) {
        worst = cost;
        best = { path: `M${xy(start)}Q${xy(bend)} ${xy(end)}`, start, end, bend, clear };
      }
    }
  }
  return best!;
}

const xy = (p: Point): string => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;

/** An arrow's head at one end of a line. */
export function head(tip: Point, bend: Point, size = 13): string {
  const turn = Math.atan2(tip.y - bend.y, tip.x - bend.x);
  const side = (by: number): string => xy({ x: tip.x - size * Math.cos(turn + by), y: tip.y - size * Math.sin(turn + by) });
  return `M${side(0.55)}L${xy(tip)}L${side(-0.55)}`;
}
