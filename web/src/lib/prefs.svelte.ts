/** What a person set for this browser: kept in it alone, never sent. */

export type Theme = "system" | "light" | "dark";

interface Prefs {
  theme: Theme;
  /** show what I know */
  aid: boolean;
  /** choose, then press the button; off: choosing acts */
  confirm: boolean;
  /** no travel, even if the system allows it */
  still: boolean;
}

const KEY = "kubli";
const START: Prefs = { theme: "system", aid: true, confirm: true, still: false };

function read(): Prefs {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<keyof Prefs, unknown>>;
    return {
      theme: kept.theme === "light" || kept.theme === "dark" ? kept.theme : "system",
      aid: kept.aid !== false,
      confirm: kept.confirm !== false,
      still: kept.still === true,
    };
  } catch {
    return { ...START };
  }
}

export const prefs: Prefs = $state(read());

export function set<K extends keyof Prefs>(name: K, value: Prefs[K]): void {
  prefs[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // a browser that keeps nothing still plays
  }
  if (name === "theme") dress();
}

/** Put the theme on the page. */
export function dress(): void {
  const root = document.documentElement;
  if (prefs.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = prefs.theme;
}

const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const less = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;
const system = $state({ dark: dark?.matches ?? false, less: less?.matches ?? false });
dark?.addEventListener("change", (event) => void (system.dark = event.matches));
less?.addEventListener("change", (event) => void (system.less = event.matches));

/** Whether the page is dark now. */
export const isDark = (): boolean => (prefs.theme === "system" ? system.dark : prefs.theme === "dark");
/** Whether things keep still: the person's wish, here or in the system. */
export const isStill = (): boolean => prefs.still || system.less;
