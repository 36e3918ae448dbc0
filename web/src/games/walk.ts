/** Arrow keys: from one thing that can be chosen to the next in that direction, else on around the ring. */
const WAYS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function walk(root: HTMLElement, event: KeyboardEvent): void {
  const way = WAYS[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const all = [...root.querySelectorAll<HTMLElement>("[data-walk]")];
  const here = all.findIndex((one) => one === document.activeElement);
  if (here < 0 || all.length < 2) return;
  const at = (one: HTMLElement): readonly [number, number] => {
    const rect = one.getBoundingClientRect();
    return [rect.x + rect.width / 2, rect.y + rect.height / 2];
  };
  const [x, y] = at(all[here]!);
  let best: HTMLElement | null = null;
  let least = Infinity;
  for (const one of all) {
    const [dx, dy] = [at(one)[0] - x, at(one)[1] - y];
    const along = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    // within a wide cone: what lies straight ahead before what lies aside
    if (along > 4 && aside <= along * 2.4 && along + aside * 1.6 < least) [best, least] = [one, along + aside * 1.6];
  }
  const on = way[0] + way[1];
  (best ?? all[(here + on + all.length) % all.length]!).focus();
  event.preventDefault();
}
