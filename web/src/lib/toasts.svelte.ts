/** Short notes over the table: why something was refused, that something was done. */

export interface Toast {
  readonly id: number;
  readonly kind: "warn" | "good";
  readonly text: string;
  /** the rule that says so */
  readonly rule?: string | undefined;
}

const STAYS = 9_000;
const MOST = 3;
let count = 0;

export const toasts = $state<{ list: Toast[] }>({ list: [] });

export function toast(text: string, kind: Toast["kind"] = "warn", rule?: string | null): void {
  const id = ++count;
  // the same words again are the same note, new
  const others = toasts.list.filter((one) => one.text !== text);
  toasts.list = [...others, { id, kind, text, rule: rule ?? undefined }].slice(-MOST);
  setTimeout(() => drop(id), STAYS);
}

export function drop(id: number): void {
  toasts.list = toasts.list.filter((one) => one.id !== id);
}
