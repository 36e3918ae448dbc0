/** Which sheet lies over the table, and at which rule the rules are open. One at a time. */
export type Sheet = "log" | "rules" | "menu" | null;

export const drawers = $state<{ open: Sheet; rule: string | null; asked: number }>({ open: null, rule: null, asked: 0 });

export function openSheet(sheet: Sheet): void {
  drawers.open = sheet;
  if (sheet !== "rules") drawers.rule = null;
}

export function openRule(rule: string | null): void {
  drawers.rule = rule;
  drawers.asked += 1;
  drawers.open = "rules";
}

export function closeSheet(): void {
  drawers.open = null;
  drawers.rule = null;
}
