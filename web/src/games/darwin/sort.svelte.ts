/** How this person holds a hand: by number or by animal, for as long as the page is open. */
export const hold = $state<{ by: "number" | "animal" }>({ by: "number" });
