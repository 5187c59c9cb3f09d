// This browser as a receiver of notices while the page is closed: its subscription with a push service.

import type { PushTarget } from "../protocol/types";

/** Why a browser cannot receive notices, as keys of its texts; null: it can. */
export function whyNoPush(): "insecure" | "phone" | null {
  if (!isSecureContext) return "insecure";
  // On an iPhone or iPad only a page on the home screen has it.
  return "PushManager" in window && "Notification" in window && "serviceWorker" in navigator ? null : "phone";
}

/** Ask for permission and subscribe. Null: it is not allowed, or there is no worker. */
export async function subscribe(serverKey: string): Promise<PushTarget | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const worker = await navigator.serviceWorker.getRegistration();
  if (!worker) return null;
  try {
    const known = await worker.pushManager.getSubscription();
    if (known && !isOf(known, serverKey)) await known.unsubscribe(); // that of another server at this address
    const options = { userVisibleOnly: true, applicationServerKey: serverKey };
    return targetOf(await worker.pushManager.subscribe(options));
  } catch {
    return null;
  }
}

function isOf(subscription: PushSubscription, serverKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return key !== null && base64url(key) === serverKey;
}

/** Return what the server needs of a subscription. */
function targetOf(subscription: PushSubscription): PushTarget | null {
  const [p256dh, auth] = [subscription.getKey("p256dh"), subscription.getKey("auth")];
  if (!p256dh || !auth) return null;
  return { type: "push", endpoint: subscription.endpoint, p256dh: base64url(p256dh), auth: base64url(auth) };
}

function base64url(bytes: ArrayBuffer): string {
  const letters = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
