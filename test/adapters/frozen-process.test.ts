import { expect, test } from "vitest";
import { startFrozenProcess, startPeer } from "./frozen-peer.ts";

const maxIdleMs = 200;

test("polls succeed although the peer resets idle connections", { timeout: 60_000 }, async () => {
  await using peer = await startPeer({ maxIdleMs, drops: "with a reset" });
  await using frozen = startFrozenProcess(peer.host);
  const results: unknown[] = [];
  frozen.call("read registry");
  for (let poll = 1; poll <= 6; poll += 1) {
    results.push(await frozen.result());
    if (poll < 6) await frozen.freeze(maxIdleMs * 2, "read registry");
  }
  expect(results).toEqual(Array.from({ length: 6 }, () => ({ read: "ok", registry: "ok" })));
  expect(peer.dropped()).toBeGreaterThan(0);
});

test.for(["with a reset", "silently"] as const)(
  "after a long freeze even the first write succeeds on a new connection: the peer dropped the other %s",
  { timeout: 60_000 },
  async (drops) => {
    await using peer = await startPeer({ maxIdleMs, drops });
    await using frozen = startFrozenProcess(peer.host);
    frozen.call("write");
    const first = await frozen.result();
    await frozen.freeze(4_500, "write");
    expect([first, await frozen.result()]).toEqual([{ write: "ok" }, { write: "ok" }]);
    expect({ dropped: peer.dropped(), connections: peer.connections() }).toEqual({ dropped: 0, connections: 2 });
  },
);
