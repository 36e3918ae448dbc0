import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";
import type { Block, Inline } from "./src/lib/rulebook.ts";

const RULES = resolve(import.meta.dirname, "../docs/rules");
const NAME = /^virtual:rulebook\/([a-z-]+)$/;

/** Words within a line: **strong**, *soft*, `code`, [links](to) as their words alone, and rule ids, which open the drawer. */
export function inline(text: string): Inline[] {
  const found: Inline[] = [];
  const marks = /\*\*(.+?)\*\*|\*(.+?)\*|_([^_]+)_(?![A-Za-z])|`([^`]+)`|\[([^\]]+)\]\([^)]*\)|\b((?:DA|NA|DD)-\d+)\b/g;
  let from = 0;
  for (const match of text.matchAll(marks)) {
    if (match.index > from) found.push({ t: text.slice(from, match.index) });
    const [whole, strong, soft, under, code, link, rule] = match;
    if (rule) found.push({ t: rule, as: "rule" });
    else if (strong !== undefined) found.push({ t: strong, as: "b" });
    else if (code !== undefined) found.push({ t: code, as: "code" });
    else if (link !== undefined) found.push(...inline(link));
    else found.push({ t: soft ?? under ?? whole, as: "i" });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ t: text.slice(from) });
  return found;
}

const cells = (line: string): Inline[][] => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inline(cell.trim()));

/** A page of rules (docs/rules) as blocks. A paragraph that starts with a rule's id in bold is that rule. */
export function blocks(markdown: string): Block[] {
  const out: Block[] = [];
  for (const chunk of markdown.replace(/<!--.*?-->/gs, "").split(/\n{2,}/)) {
    // a list or table right under a paragraph is a block of its own
    let rest = chunk.split("\n").filter((line) => line.trim());
    while (rest.length) {
      const [first = ""] = rest;
      const kind = (line: string): "h" | "li" | "tr" | "p" =>
        /^#{1,4} /.test(line) ? "h" : /^\s*([-*]|\d+\.) /.test(line) && !/^\*\*/.test(line) ? "li" : /^\s*\|/.test(line) ? "tr" : "p";
      const here = kind(first);
      let n = 1;
      if (here === "li") while (n < rest.length && (kind(rest[n]!) === "li" || /^\s{2,}/.test(rest[n]!))) n++;
      else if (here === "tr") while (n < rest.length && kind(rest[n]!) === "tr") n++;
      else if (here === "p") while (n < rest.length && kind(rest[n]!) === "p" && !/^\s*\*\*[A-Z]{2}-\d+\*\*/.test(rest[n]!)) n++;
      out.push(block(here, rest.slice(0, n)));
      rest = rest.slice(n);
    }
  }
  return out;
}

function block(kind: "h" | "li" | "tr" | "p", lines: string[]): Block {
  if (kind === "h") return { kind: "h", level: /^#+/.exec(lines[0]!)![0].length, inline: inline(lines[0]!.replace(/^#+ /, "")) };
  if (kind === "tr") {
    const rows = lines.filter((line) => !/^\s*\|?[\s:|-]+\|?\s*$/.test(line)).map(cells);
    return { kind: "table", head: rows[0] ?? [], rows: rows.slice(1) };
  }
  if (kind === "li") {
    const items: string[] = [];
    for (const line of lines) {
      if (/^\s*([-*]|\d+\.) /.test(line)) items.push(line.replace(/^\s*([-*]|\d+\.) /, ""));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    // a list of rules is rules
    return { kind: "list", items: items.map((item) => inline(item)) };
  }
  const text = lines.map((line) => line.trim()).join(" ");
  const rule = /^\*\*((?:DA|NA|DD)-\d+)\*\*\s*[:.]?\s*(.*)$/s.exec(text);
  return rule ? { kind: "rule", id: rule[1]!, inline: inline(rule[2]!) } : { kind: "p", inline: inline(text) };
}

/** `import "virtual:rulebook/darna"`: the rules of a game, made from docs/rules when the page is built. */
export function rulebook(): Plugin {
  return {
    name: "kubli-rulebook",
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : null),
    load(id) {
      const game = NAME.exec(id.replace(/^\0/, ""))?.[1];
      if (!game || !id.startsWith("\0")) return null;
      const file = resolve(RULES, `${game}.md`);
      this.addWatchFile(file);
      return `export default ${JSON.stringify(existsSync(file) ? blocks(readFileSync(file, "utf8")) : [])}`;
    },
  };
}
