// The picture of a link for a phone's camera.

import { encode } from "uqr";

/** Light modules around the code, without which scanners need not find it (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** The QR code of a text as one SVG path, and how many modules wide it is. */
export function qrPath(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_MODULES });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { path, size };
}
