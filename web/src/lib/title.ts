/** The tab's title: where it is my turn is seen from other tabs. */
export function setTitle(title: string): void {
  if (document.title !== title) document.title = title;
}
