import { createSocket } from "node:dgram";
import { once } from "node:events";

/** Answers the queries for one name: with addresses of IPv4, "nothing" at all, or "unknown" (NXDOMAIN). */
export type Answer = readonly string[] | "nothing" | "unknown";

export interface NameServer extends AsyncDisposable {
  /** `address:port`. */
  readonly server: string;
  /** The names that were asked for, oldest first, once for each family of addresses and each try. */
  readonly queries: readonly string[];
}

/** Starts a DNS server over UDP on a free loopback port. */
export async function startNameServer(answerTo: (name: string) => Answer): Promise<NameServer> {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = parseQuestion(query);
    queries.push(name);
    const answer = answerTo(name);
    if (answer !== "nothing") socket.send(respond(query.subarray(0, end), type === 1 ? answer : []), port, address);
    function respond(question: Buffer, addresses: readonly string[] | "unknown"): Buffer {
      const found = addresses === "unknown" ? [] : addresses;
      const header = Buffer.from(question);
      header.writeUInt16BE(addresses === "unknown" ? 0x81_83 : 0x81_80, 2);
      header.writeUInt16BE(found.length, 6);
      header.writeUInt32BE(0, 8);
      return Buffer.concat([header, ...found.map(record)]);
    }
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    [Symbol.asyncDispose]: async () => void socket.close(),
  };
}

/** The name begins after the header of 12 bytes: labels with their length, until an empty one. */
function parseQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record of type A for the name in the question, for a minute. */
function record(address: string): Buffer {
  return Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)]);
}
