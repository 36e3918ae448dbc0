/** Whether the window is wide enough for the sheet beside the table (DESIGN: from 1080 px). */
const WIDE = "(min-width: 1080px)";
const query = typeof matchMedia === "function" ? matchMedia(WIDE) : null;
const width = $state({ wide: query?.matches ?? true });
query?.addEventListener("change", (event) => void (width.wide = event.matches));

export const watchWidth = (): { readonly wide: boolean } => width;
