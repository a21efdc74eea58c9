import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stateReasons } from "../../functions/domain/state/state.ts";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cli/cluster-fixture.ts";
import { readDocument, sectionsOf } from "./document.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const section = sectionsOf(readDocument("troubleshooting.md"), 2).get("My workload is not updated") ?? "";
const time = "2026-11-20T12:00:00.000000Z";

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0"] }, (registry) => [
    builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`, { "pawl.dev/schedule": "@yearly" }),
    {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "pawl-poll", namespace: "kube-system" },
      spec: { renewTime: time },
    },
  ]);
});
afterAll(() => fixture.close());

test("pawl explain has the lines that answer the questions, in their order", async () => {
  expect((await fixture.pawl("freeze", "incident 7")).status).toBe(0);
  const { stdout } = await fixture.pawl("explain", "shop/web", "--insecure-registry", fixture.registry);
  const questions = section.split("\n").filter((line) => /^\d\. /.test(line));
  const lines = questions.join("\n").matchAll(/[Ll]ines? `([a-z ]+)`(?: and `([a-z ]+)`)?|[Tt]able `([A-Z]\w+)`/g);
  const labels = [...lines].flatMap(([, ...found]) => found.filter((label) => label !== undefined));
  expect(labels).toEqual(["polls", "state", "next poll", "gates", "closed gate", "due next", "Tags"]);
  const positions = labels.map((label) => stdout.search(new RegExp(`^ *${label}:`, "m")));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
});

test("each state has a row that says what ends it", () => {
  const states = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, state = ""]) => state),
  );
  expect(states.toSorted()).toEqual(Object.keys(stateReasons).toSorted());
});
