/** Which screen the address names. The server answers every one of these paths with the same page. */

export type Route =
  | { readonly at: "lobby" }
  | { readonly at: "table"; readonly id: string; readonly replay: boolean }
  | { readonly at: "about" }
  | { readonly at: "dev" }
  | { readonly at: "nowhere" };

export function routeOf(path: string): Route {
  const parts = path.split("/").filter(Boolean).map(decode);
  const [first, id, last] = parts;
  if (parts.length === 0) return { at: "lobby" };
  if (first === "t" && id && (parts.length === 2 || (parts.length === 3 && last === "replay"))) {
    return { at: "table", id, replay: last === "replay" };
  }
  if (parts.length === 1 && (first === "about" || first === "dev")) return { at: first };
  return { at: "nowhere" };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const router = $state({ route: routeOf(location.pathname) });

/** Go to another path of this page. */
export function go(path: string, replace = false): void {
  if (path !== location.pathname) history[replace ? "replaceState" : "pushState"](null, "", path);
  router.route = routeOf(new URL(path, location.href).pathname);
  if (!replace) window.scrollTo(0, 0);
}

/** Follow links within the page without loading it again, and the browser's own buttons. */
export function listen(): () => void {
  const back = (): void => void (router.route = routeOf(location.pathname));
  const click = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute("download") || link.origin !== location.origin || link.hash) return;
    if (routeOf(link.pathname).at === "nowhere") return;
    event.preventDefault();
    go(link.pathname);
  };
  window.addEventListener("popstate", back);
  document.addEventListener("click", click);
  return () => {
    window.removeEventListener("popstate", back);
    document.removeEventListener("click", click);
  };
}
