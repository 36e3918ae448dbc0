/**
 * Which drawing of art/ is in which sprite: one for the chrome of every page and one for each game.
 *
 * sprites.ts builds the sprites from this list; a test holds it against the folder.
 */
export const SPRITES = {
  kubli: [
    "back-kubli", "logo", "s-bead", "s-leaf", "s-moon", "s-peak", "s-wave", "u-again", "u-alert", "u-ask",
    "u-bot", "u-check", "u-clock", "u-close", "u-crown", "u-down", "u-exchange", "u-eye", "u-fight", "u-first",
    "u-flight", "u-last", "u-left", "u-link", "u-lock", "u-log", "u-menu", "u-minus", "u-moon", "u-offline",
    "u-online", "u-pause", "u-person", "u-play", "u-plus", "u-poison", "u-private", "u-right", "u-rules",
    "u-skull", "u-sort", "u-sun",
  ],
  darna: [
    "back-darna", "i-hide", "i-peek", "i-peek-two", "i-rotate-ccw", "i-rotate-cw", "i-rotate-either", "i-show",
    "i-swap", "k-plain", "stone-back", "stone-plain", "stone-white",
  ],
  narabi: [
    "c-any", "c-black", "c-even", "c-far", "c-high", "c-higher", "c-low", "c-lower", "c-near", "c-next-player",
    "c-odd", "c-other-colour", "c-previous-player", "c-same-colour", "c-white", "ns-black-1", "ns-black-2",
    "ns-black-3", "ns-white-1", "ns-white-2", "ns-white-3",
  ],
  darwin: [
    "a-bear", "a-fox", "a-lion", "a-owl", "a-scorpion", "a-snake", "back-darwin", "die-cube", "die-eight",
    "m-bear", "m-fox", "m-lion", "m-owl", "m-scorpion", "m-snake",
  ],
} as const;

export type SpriteName = keyof typeof SPRITES;
export type IconId = (typeof SPRITES)[SpriteName][number];

/** The name of the sprite that holds a drawing. */
export function spriteOf(id: IconId): SpriteName {
  for (const [name, ids] of Object.entries(SPRITES)) {
    if ((ids as readonly string[]).includes(id)) return name as SpriteName;
  }
  throw new Error(`no sprite holds ${id}`);
}
