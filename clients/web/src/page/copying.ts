// Copying to the clipboard, also where a browser keeps its newer way from pages without TLS.

import { session } from "./session.svelte";

/** Copy a text. Returns whether it was; otherwise the text is shown, to be copied by hand. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await tryCopy(text);
  session.uncopied = isCopied ? null : text;
  return isCopied;
}

/** Copy a text where the browser allows that. Returns whether it was. */
export async function tryCopy(text: string): Promise<boolean> {
  return (await copyAllowed(text)) || copySelected(text);
}

async function copyAllowed(text: string): Promise<boolean> {
  try {
    // Missing on a page from another machine without TLS, whatever its type says.
    const { clipboard } = navigator as { readonly clipboard?: Clipboard };
    await clipboard?.writeText(text);
    return clipboard !== undefined;
  } catch {
    return false;
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "sr";
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
