/** The rules of a game as the drawer shows them: made from docs/rules at build (rulebook.ts beside vite.config.ts). */
import type { GameName } from "./types.ts";

export interface Inline {
  readonly t: string;
  /** strong, soft, code, or a rule's id that can be opened */
  readonly as?: "b" | "i" | "code" | "rule";
}

export type Block =
  | { readonly kind: "h"; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly kind: "rule"; readonly id: string; readonly inline: readonly Inline[] }
  | { readonly kind: "p"; readonly inline: readonly Inline[] }
  | { readonly kind: "list"; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "table"; readonly head: readonly (readonly Inline[])[]; readonly rows: readonly (readonly (readonly Inline[])[])[] };

/** A rule and all that belongs to it, up to the next one. */
export interface RuleBlock {
  readonly id: string | null;
  readonly blocks: readonly Block[];
}

export interface Section {
  readonly heading: readonly Inline[] | null;
  readonly rules: readonly RuleBlock[];
}

const BOOKS: Record<GameName, () => Promise<{ default: readonly Block[] }>> = {
  darna: () => import("virtual:rulebook/darna"),
  narabi: () => import("virtual:rulebook/narabi"),
  "darwins-dice": () => import("virtual:rulebook/darwins-dice"),
};

export async function loadRulebook(game: GameName): Promise<readonly Section[]> {
  return sections((await BOOKS[game]()).default);
}

/** Blocks gathered under their headings and rules; the page's own title is left out. */
export function sections(blocks: readonly Block[]): Section[] {
  const out: { heading: readonly Inline[] | null; rules: { id: string | null; blocks: Block[] }[] }[] = [];
  for (const block of blocks) {
    if (block.kind === "h" && block.level === 1) continue;
    if (block.kind === "h") {
      out.push({ heading: block.inline, rules: [] });
      continue;
    }
    if (!out.length) out.push({ heading: null, rules: [] });
    const { rules } = out[out.length - 1]!;
    if (block.kind === "rule") rules.push({ id: block.id, blocks: [{ kind: "p", inline: block.inline }] });
    else if (rules.length) rules[rules.length - 1]!.blocks.push(block);
    else rules.push({ id: null, blocks: [block] });
  }
  return out.filter((section) => section.rules.length || section.heading);
}
