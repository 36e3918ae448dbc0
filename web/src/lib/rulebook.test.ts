import { expect, test } from "vitest";
import { blocks, inline } from "../../rulebook.ts";
import { sections } from "./rulebook.ts";

const PAGE = `# Darna

Before all.

## The turn

**DA-7** On your turn, draw a card,
then play one. See DA-8.

- one thing
- another,
  in two lines

**DA-8** *ruling* Or shout.

| no | what |
|---|---|
| 1 | **show** |
`;

test("a page of rules becomes sections of rules with all that belongs to them", () => {
  const [first, turn] = sections(blocks(PAGE));
  expect(first).toEqual({ heading: null, rules: [{ id: null, blocks: [{ kind: "p", inline: [{ t: "Before all." }] }] }] });
  expect(turn!.heading).toEqual([{ t: "The turn" }]);
  expect(turn!.rules.map((rule) => rule.id)).toEqual(["DA-7", "DA-8"]);
  const [seven, eight] = turn!.rules;
  expect(seven!.blocks[0]).toEqual({ kind: "p", inline: [{ t: "On your turn, draw a card, then play one. See " }, { t: "DA-8", as: "rule" }, { t: "." }] });
  expect(seven!.blocks[1]).toEqual({ kind: "list", items: [[{ t: "one thing" }], [{ t: "another, in two lines" }]] });
  expect(eight!.blocks[1]).toEqual({ kind: "table", head: [[{ t: "no" }], [{ t: "what" }]], rows: [[[{ t: "1" }], [{ t: "show", as: "b" }]]] });
});

test("words within a line", () => {
  expect(inline("a `b` [c](d) _e_ snake_case")).toEqual([
    { t: "a " }, { t: "b", as: "code" }, { t: " " }, { t: "c" }, { t: " " }, { t: "e", as: "i" }, { t: " snake_case" },
  ]);
});
