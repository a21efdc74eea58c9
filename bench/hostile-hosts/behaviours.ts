import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** Answers one request; `host` is the address of the hostile registry itself. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, host: string) => void;

/** How a hostile registry answers every request. */
export const behaviours = {
  silent: () => undefined,
  slow: (_, response) => {
    response.writeHead(200).write('{"tags":[');
    const writing = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(writing));
  },
  endless: (_, response) => writeEndlessly(response.writeHead(200).once("close", () => response.destroy())),
  // Six pages have 8.7 million tags: 64 MB in 11 MB on the wire.
  huge: ({ url = "" }, response) => {
    const page = Number(URL.parse(url, "http://h")?.searchParams.get("page") ?? 0);
    const link = `<?page=${page + 1}>; rel="next"`;
    response.writeHead(200, { "content-encoding": "gzip", link }).end(hugePage(page % maxPages));
  },
  nested: (_, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(nested),
  lying: ({ url = "" }, response) => {
    if (url.length % 2 === 0) response.writeHead(200, { "content-length": 1_000_000 }).write('{"tags":["1.0.0"]}');
    else response.writeHead(200, { link: `<${url}x>; rel="next"` }).end('{"tags":["9.9.9"]}');
  },
  resetting: (_, response) =>
    response.writeHead(200).write('{"tags":["1.0.0"', () => response.socket?.resetAndDestroy()),
  challenging: ({ url = "" }, response, host) => {
    const realm = `Bearer realm="http://${host}/token/${Math.random()}"`;
    if (url.startsWith("/token")) response.end(JSON.stringify({ token: `t${Math.random()}` }));
    else response.writeHead(401, { "www-authenticate": realm }).end();
  },
} satisfies Readonly<Record<string, Behaviour>>;

export type BehaviourName = keyof typeof behaviours;

const tagsPerPage = 1_450_000;
const maxPages = 6;
const pages = new Map<number, Buffer>();

/** Returns a compressed page of tags of about five characters, of which none is repeated. */
function hugePage(page: number): Buffer {
  const tag = (_: unknown, index: number) => (page * tagsPerPage + index).toString(36);
  const known = pages.get(page) ?? gzipSync(`{"tags":["${Array.from({ length: tagsPerPage }, tag).join('","')}"]}`);
  pages.set(page, known);
  return known;
}

/** Almost ten megabytes: lists in lists, and many of them. */
const nested = gzipSync(`{"tags":[${`${"[".repeat(500)}${"]".repeat(500)},`.repeat(9900)}[]]}`);

function writeEndlessly(response: ServerResponse): void {
  const chunk = `"${"1".repeat(8)}",`.repeat(6000);
  response.write('{"tags":[');
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write);
  write();
}
