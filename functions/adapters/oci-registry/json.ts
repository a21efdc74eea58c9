import { isUtf8 } from "node:buffer";

const utf8 = new TextDecoder("utf-8");

/** The value of UTF-8 JSON; undefined, which JSON cannot say, where it is none. */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
