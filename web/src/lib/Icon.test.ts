import { readdirSync } from "node:fs";
import { render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { sprite } from "../../sprites.ts";
import { SPRITES, spriteOf } from "./art.ts";
import Icon from "./Icon.svelte";

const LISTED = Object.values(SPRITES).flat();

test("every drawing is in one sprite", () => {
  const drawn = readdirSync(`${import.meta.dirname}/../../art`).map((file) => file.replace(/\.svg$/, ""));
  expect([...LISTED].sort()).toEqual(drawn.sort());
  expect(new Set(LISTED).size).toBe(LISTED.length);
});

test("a sprite keeps each drawing's own colours and takes the text's", () => {
  const whole = sprite(SPRITES.darwin);
  expect(whole).toContain('<symbol id="m-fox" viewBox="0 0 24 24" fill="currentColor">');
  expect(whole).toContain("var(--cut,");
});

test("ids inside of drawings meet no other id of their sprite", () => {
  for (const ids of Object.values(SPRITES)) {
    const found = [...sprite(ids).matchAll(/\bid="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(found).size).toBe(found.length);
  }
});

test("an icon shows a symbol of its game's sprite", () => {
  const { container } = render(Icon, { id: "m-fox" });
  expect(spriteOf("m-fox")).toBe("darwin");
  expect(container.querySelector("use")?.getAttribute("href")).toMatch(/darwin.*\.svg#m-fox$/);
  expect(container.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
});

test("a labelled icon is a picture with a name", () => {
  render(Icon, { id: "u-eye", label: "You know" });
  expect(screen.getByRole("img", { name: "You know" })).toBeTruthy();
});
