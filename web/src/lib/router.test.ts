import { expect, test, vi } from "vitest";
import { tableIn } from "./api.ts";
import { go, listen, routeOf, router } from "./router.svelte.ts";

test.each([
  ["/", { at: "lobby" }],
  ["/t/abc_DEF-1", { at: "table", id: "abc_DEF-1", replay: false }],
  ["/t/abc/", { at: "table", id: "abc", replay: false }],
  ["/t/abc/replay", { at: "table", id: "abc", replay: true }],
  ["/about", { at: "about" }],
  ["/dev", { at: "dev" }],
  ["/t", { at: "nowhere" }],
  ["/t/abc/else", { at: "nowhere" }],
  ["/api/games", { at: "nowhere" }],
  ["/t/%E0%A4%A", { at: "table", id: "%E0%A4%A", replay: false }],
])("%s", (path, route) => expect(routeOf(path)).toEqual(route));

test("links of the page are followed within it, others are left alone", () => {
  vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  const stop = listen();
  document.body.innerHTML = '<a id="in" href="/t/abcdefgh">in</a><a id="file" href="/api/x" download>file</a>';
  const click = (id: string, more: MouseEventInit = {}): boolean => document.getElementById(id)!.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...more }));
  expect(click("in")).toBe(false);
  expect(router.route).toEqual({ at: "table", id: "abcdefgh", replay: false });
  expect(location.pathname).toBe("/t/abcdefgh");
  document.getElementById("file")!.addEventListener("click", (event) => {
    expect(event.defaultPrevented).toBe(false);
    event.preventDefault();
  });
  document.body.addEventListener("click", (event) => event.preventDefault(), { once: true });
  click("file");
  stop();
  go("/");
});

test.each([
  ["http://10.0.0.2:8000/t/abcdefgh12", "abcdefgh12"],
  ["  https://host/t/abcdefgh12?x=1 ", "abcdefgh12"],
  ["http://host/t/abcdefgh12/replay", "abcdefgh12"],
  ["/t/abcdefgh12", "abcdefgh12"],
  ["abcdefgh12", "abcdefgh12"],
  ["hello there", null],
  ["", null],
])("the table in %j", (text, id) => expect(tableIn(text)).toBe(id));
