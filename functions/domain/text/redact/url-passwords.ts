import { hidden } from "./hidden.ts";

const afterScheme = /(?<=:\/\/)[^\s"'<>]+/g;

/** After a host: its port, and a path or query before an `@`. */
const port = /^\d{2,5}[/?][\w.%~/?&=-]*$/;

/** Names of users are shorter than tokens in their place. */
const minTokenLength = 20;

/** Replaces the passwords of URLs, also those that are not encoded, and tokens in place of a user: `https://app:…@host`. */
export function redactUrlPasswords(text: string): string {
  return text.replaceAll(afterScheme, (address) => {
    const at = address.lastIndexOf("@");
    const user = address.slice(0, Math.max(0, at)).split(":", 1)[0] as string;
    if (at === -1 || user.includes("/")) return address;
    if (user.length === at) return user.length < minTokenLength ? address : hidden + address.slice(at);
    const isPort = user !== "" && port.test(address.slice(user.length + 1, at));
    return isPort ? address : `${user}:${hidden}${address.slice(at)}`;
  });
}
