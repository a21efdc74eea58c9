/** Exchanges the token of a dashboard's URL. Returns its origin, and the headers of the page's own requests. */
export async function signIn(address: string) {
  const url = new URL(address);
  const token = new URLSearchParams(url.hash.slice(1)).get("token") ?? "";
  const headers = { origin: url.origin };
  const session = await fetch(`${url.origin}/session`, { method: "POST", headers, body: token });
  const own = { origin: url.origin, cookie: (session.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
  return { at: url.origin, own };
}
