// What does not fit on the page as it stands: [sentences].
() => {
  const found = [];
  const TARGET = 44, IN_TEXT = 24, SMALLEST = 12;
  const width = document.documentElement.clientWidth;
  const open = document.querySelector("dialog[open]");
  const root = open ?? document.body;
  const name = (one) => {
    const label = one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 40);
    return `<${one.tagName.toLowerCase()} class="${one.getAttribute("class") ?? ""}"> "${label}"`;
  };
  const hidden = (one) => {
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    return style.visibility === "hidden" || style.display === "none" || Number(style.opacity) === 0 || box.width < 2 || box.height < 2 || one.closest(".sr, [inert] .nst") !== null;
  };

  // nothing wider than the page
  if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const one of root.querySelectorAll("*")) {
    if (one.closest("svg") || hidden(one)) continue;
    const box = one.getBoundingClientRect();
    if ((box.right > width + 1 || box.left < -1) && one.textContent.trim() && !scrolled(one)) found.push(`runs off the page: ${name(one)} ${Math.round(box.left)}..${Math.round(box.right)}`);
  }
  function scrolled(one) {
    for (let at = one.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
    return false;
  }

  // words large enough
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !one || one.closest("svg, script, style, .sr") || hidden(one)) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < SMALLEST) found.push(`${size} px: ${name(one)}`);
  }

  // targets large enough: what counts is where a press reaches them, straight up, down and to both sides of their middle
  const targets = [...root.querySelectorAll("button, a[href], input, select, textarea, [role=button]")].filter((one) => !hidden(one) && !one.closest("[inert]"));
  const reach = (one, x, y, dx, dy) => {
    let far = 0;
    for (let at; far < TARGET && (at = document.elementFromPoint(x + dx * (far + 1), y + dy * (far + 1))) && one.contains(at); far += 1);
    return far;
  };
  for (const one of targets) {
    if (one.matches("p a, li a, .ruled")) continue; // in running text
    const least = one.matches(".rule") ? IN_TEXT : TARGET;
    one.scrollIntoView({ block: "center" });
    const what = one.closest("label") ?? one;
    const box = one.getBoundingClientRect();
    const x = Math.floor(box.left + box.width / 2), y = Math.floor(box.top + box.height / 2);
    const wide = reach(what, x, y, -1, 0) + reach(what, x, y, 1, 0) + 1, high = reach(what, x, y, 0, -1) + reach(what, x, y, 0, 1) + 1;
    if (wide < least || high < least) found.push(`a target of ${wide} by ${high}: ${name(one)}`);
  }
  scrollTo(0, 0);

  // words not cut off within a button
  for (const one of root.querySelectorAll("button, .btn")) {
    if (hidden(one)) continue;
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible") found.push(`cut off: ${name(one)}`);
    const box = one.getBoundingClientRect();
    for (const part of one.querySelectorAll("span, b, small")) {
      if (hidden(part) || part.closest(".sr, svg") || getComputedStyle(part).position === "absolute" || !part.textContent.trim()) continue;
      const inner = part.getBoundingClientRect();
      if (inner.left < box.left - 2 || inner.right > box.right + 2) found.push(`words out of their button: ${name(one)}`);
      if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX === "hidden" && !part.matches(".eye-name, .seat-name")) found.push(`words cut off: ${name(one)}`);
    }
  }

  // words not cut off by what they lie on, nor over other words, nor under the slip: line by line, without ascenders
  const part = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const area = (box) => Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);
  const around = (one) => (one === document.body ? [] : [one, ...around(one.parentElement)]);
  const lines = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].map(({ left, top, right, bottom, height }) => ({ left, right, top: top + height / 4, bottom: bottom - height / 4 }));
  };
  const words = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement, said = texts.currentNode.data.trim();
    if (!said || one.closest("svg, .sr, .toasts, .shout, .note-of, .bar") || around(one).some(hidden)) continue;
    const clips = around(one).filter((at) => getComputedStyle(at).overflow !== "visible");
    const meant = clips.some((at) => /auto|scroll/.test(getComputedStyle(at).overflow) || getComputedStyle(at).textOverflow === "ellipsis" || getComputedStyle(at).webkitLineClamp !== "none");
    for (const line of lines(texts.currentNode)) {
      const seen = clips.reduce((box, at) => part(box, at.getBoundingClientRect()), line);
      if (!meant && area(seen) < 0.9 * area(line)) found.push(`cut off: "${said}" in ${name(one)}`);
      if (area(seen)) words.push({ text: texts.currentNode, said, box: seen, block: one.closest("p, li, td, th, button, h2"), slip: one.closest(".prompt, .start") });
    }
  }
  const slip = document.querySelector(".room > .prompt");
  const fixed = slip && !open && getComputedStyle(slip).position !== "sticky" ? slip.getBoundingClientRect() : null;
  words.forEach((a, k) => {
    if (fixed && !a.slip && area(part(a.box, fixed))) found.push(`under the slip: "${a.said}"`);
    for (const b of words.slice(k + 1)) if (a.text !== b.text && a.slip === b.slip && (!a.block || a.block !== b.block) && area(part(a.box, b.box)) > 4) found.push(`words over words: "${a.said}" and "${b.said}"`);
  });

  // what can be chosen can be seen and pressed: scrolled to, its middle is its own
  if (!open) {
    const picks = [...document.querySelectorAll(".table .can-pick, .prompt .btn, .prompt .shout")].filter((one) => !hidden(one) && !one.closest("[inert]"));
    for (const one of picks) {
      one.scrollIntoView({ block: "center" });
      const box = one.getBoundingClientRect();
      const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (!at || !(one.contains(at) || at.contains(one))) found.push(`lies under ${at ? name(at) : "nothing"}: ${name(one)}`);
    }
    scrollTo(0, 0);
    // the whole table and the slip are on one screen, so that nobody scrolls to play
    const prompt = document.querySelector(".plays > .prompt")?.getBoundingClientRect();
    for (const one of document.querySelectorAll(".plays .table .can-pick")) {
      const box = one.getBoundingClientRect();
      if (prompt && box.bottom > prompt.top + 1 && box.top < prompt.bottom) found.push(`under the slip by ${Math.round(box.bottom - prompt.top)}: ${name(one)}`);
    }
  }
  return [...new Set(found)];
}
