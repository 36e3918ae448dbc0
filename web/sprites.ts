import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";
import { SPRITES } from "./src/lib/art.ts";

const ART = resolve(import.meta.dirname, "art");
const BUILD = resolve(import.meta.dirname, "build");

/** One drawing as a symbol: the same picture, under its file's name. */
export function symbol(id: string, drawing: string): string {
  const parts = /^<svg xmlns="[^"]+" viewBox="([^"]+)" fill="currentColor">(.*)<\/svg>\s*$/s.exec(drawing);
  if (!parts) throw new Error(`art/${id}.svg doesn't start as drawings here do`);
  return `<symbol id="${id}" viewBox="${parts[1]}" fill="currentColor">${parts[2]}</symbol>`;
}

/** A sprite: the symbols of some drawings in one file. */
export function sprite(ids: readonly string[]): string {
  const symbols = ids.map((id) => symbol(id, readFileSync(resolve(ART, `${id}.svg`), "utf8")));
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`;
}

/** Writes build/<sprite>.svg before anything imports it. */
export function sprites(): Plugin {
  return {
    name: "kubli-sprites",
    configResolved() {
      mkdirSync(BUILD, { recursive: true });
      for (const [name, ids] of Object.entries(SPRITES)) writeFileSync(resolve(BUILD, `${name}.svg`), sprite(ids));
    },
  };
}
