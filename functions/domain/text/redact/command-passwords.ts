import { hidden } from "./hidden.ts";

const clients = /\b(?:mysql|mariadb)/i;
/** A short flag whose value follows without a blank. Programs with flags of one dash have others that begin so. */
const flag = /(?<=^|[\s"',[])-p(?!(?:ort|ath|id|ing|refix|rofile|rotocol|assword)(?![A-Za-z]))(["']?)[^\s"',]+/g;

/** Replaces the password in the command line of a client that takes it as a part of its flag: `mysql -uapp -phunter2`. */
export function redactCommandPasswords(text: string): string {
  return text
    .split("\n")
    .map((line) => (clients.test(line) ? line.replaceAll(flag, `-p$1${hidden}`) : line))
    .join("\n");
}
