/** How stones move: a node never leaves its place, it is drawn as coming from elsewhere. */

const centre = (element: Element): readonly [number, number, number] => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2, width];
};

/** Drawn as arriving from where another lies, on an arc, lifted in the middle. The other one arcs on the other side. */
export function come(to: Element, from: Element, { bend, ms, small }: { bend: number; ms: number; small?: number }): Animation {
  const [[ax, ay, here], [bx, by, there]] = [centre(to), centre(from)];
  const [dx, dy, scale] = [bx - ax, by - ay, small ?? there / (here || 1)];
  const far = Math.hypot(dx, dy) || 1;
  const middle = `translate(${dx / 2 - (dy / far) * bend}px, ${dy / 2 + (dx / far) * bend}px) scale(${(1 + scale) / 2 + 0.1})`;
  return to.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 6 },
      { transform: middle, zIndex: 6, easing: "cubic-bezier(.2, .4, .2, 1)" },
      { transform: "none", zIndex: 6 },
    ],
    { duration: ms, easing: "cubic-bezier(.45, .05, .7, .6)", fill: "backwards" },
  );
}

/** There at once. */
export function fade(element: Element, delay = 0): Animation {
  return element.animate([{ opacity: 0.1 }, { opacity: 1 }], { duration: 160, delay, fill: "backwards" });
}
