// Texts of the page where a browser translates it.

/** What a translator has put in the place of a text, and what the text was. */
interface Translation {
  readonly shown: Element;
  readonly text: string;
}
const translations = new WeakMap<Text, Translation>();
const originals = new WeakMap<Element, Text>();

/**
 * Keep the texts of the page in the document, empty, beside what a translator has put in their place.
 *
 * Browsers translate by replacing a text by a `font` element. What the page writes into the text from then on is seen by
 * nobody, and what it removes stays. So a text goes back, and what was made of it leaves as soon as the page writes
 * another text or removes it. The translator then translates what is new.
 */
export function followTranslator(root: Node): void {
  const observer = new MutationObserver((changes) => {
    for (const change of changes) follow(change);
    observer.takeRecords(); // our own changes
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
}

function follow({ type, target, addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
  if (type === "characterData") return forget(target);
  for (const node of removedNodes) {
    const text = originals.get(node as Element) ?? node;
    if (!(text instanceof Text)) continue;
    if (translations.has(text)) settle(text);
    else if (!text.isConnected) putBack(text, [...addedNodes, previousSibling, nextSibling].find(isTranslation));
  }
}

const isTranslation = (node: Node | null): node is HTMLElement =>
  node instanceof HTMLElement && node.localName === "font" && node.isConnected && !originals.has(node);

function putBack(text: Text, shown: HTMLElement | undefined): void {
  if (!shown) return;
  translations.set(text, { shown, text: text.data });
  originals.set(shown, text);
  text.data = "";
  shown.before(text);
}

/** Remove what was made of a text that the page has written. */
function forget(text: Node): void {
  const translation = text instanceof Text && translations.get(text);
  if (!translation) return;
  translations.delete(text);
  translation.shown.remove();
}

/** Follow a text that was moved or removed, or a translation that was taken back. */
function settle(text: Text): void {
  const translation = translations.get(text);
  if (!translation) return;
  const { shown } = translation;
  if (text.isConnected && shown.isConnected) {
    if (text.nextSibling !== shown) text.after(shown);
    return;
  }
  forget(text);
  if (text.isConnected) text.data = translation.text;
}
