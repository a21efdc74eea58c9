import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type RealRegistry, startRealRegistry } from "../support/real-registry.ts";
import { type NodePoolLab, openNodePoolLab } from "./node-pool-lab.ts";
describeOnRealCluster("chaos", () => {
  let registry: RealRegistry;
  let lab: NodePoolLab;
  beforeAll(async () => { registry = await startRealRegistry(); lab = await openNodePoolLab(registry); });
  afterAll(async () => { await lab?.close(); await registry?.close(); });
  test("chaos", { timeout: 240_000 }, async ({ expect }) => {
    const images = [await lab.push("os", "a"), await lab.push("os", "b"), await lab.push("os", "c")];
    const nodes = await lab.nodes(12, images[0] ?? "");
    await lab.deploy("web", 12, nodes.labels);
    const pool = await lab.poolOf("chaos", nodes, images[1] ?? "", { rollout: { maxUnavailable: 3, rebootTimeoutSeconds: 300 } });
    const pick = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T;
    const group = nodes.labels["test.pawl.dev/group"] ?? "";
    const faults = ["stage-fails", "never-stages", "never-reboots", "comes-back-not-ready", "comes-back-on-old-image", "comes-back-degraded", "silent"] as const;
    const done: string[] = [];
    const acts = {
      fault: async () => { const n = pick(nodes.names), f = pick(faults); lab.daemons.fault(n, f); return `${n} ${f}`; },
      heal: async () => { const n = pick(nodes.names); lab.daemons.heal(n); return n; },
      healAll: async () => { for (const n of nodes.names) lab.daemons.heal(n); return ""; },
      image: async () => { const i = pick(images); await lab.setImage(pool, i); return i.slice(-6); },
      unlabel: async () => { const n = pick(nodes.names); await lab.label(n, { "test.pawl.dev/group": null }); return n; },
      label: async () => { const n = pick(nodes.names); await lab.label(n, { "test.pawl.dev/group": group }); return n; },
      label2: async () => { for (const n of nodes.names) await lab.label(n, { "test.pawl.dev/group": group }); return ""; },
      cordon: async () => { const n = pick(nodes.names); await lab.cordon(n, true); return n; },
      uncordon: async () => { const n = pick(nodes.names); await lab.cordon(n, false); return n; },
      pause: async () => { await lab.rollout(pool, { paused: true }); return ""; },
      resume: async () => { await lab.rollout(pool, { paused: false }); return ""; },
      forget: async () => { const n = pick(nodes.names); await lab.api.remove("bootcnodes", n); return n; },
    };
    const end = Date.now() + 60_000;
    while (Date.now() < end) {
      const kind = pick(Object.keys(acts) as (keyof typeof acts)[]);
      done.push(`${Date.now() % 1e6} ${kind} ${await acts[kind]()}`);
      await pause(Math.random() * 700);
    }
    for (const n of nodes.names) { lab.daemons.heal(n); await lab.cordon(n, false); await lab.label(n, { "test.pawl.dev/group": group }); }
    await lab.rollout(pool, { paused: false });
    await lab.setImage(pool, images[2] ?? "");
    const hs = lab.happenings();
    const count = (f: (h: (typeof hs)[number]) => boolean) => hs.filter(f).length;
    console.log(hs.length, "cordoned", count((h) => h.kind === "Node" && h.object.metadata?.annotations?.["pawl.dev/cordoned-for"] !== undefined), "booted", count((h) => h.kind === "BootcNode" && h.object.spec.desiredImageState === "Booted"), "forgotten slots", count((h) => h.kind === "BootcNode" && h.isGone && h.object.metadata?.annotations?.["bootc.dev/in-reboot-slot"] !== undefined), "pods", count((h) => h.kind === "Pod"));
    const { violationsOf: vs } = await import("../support/bootc/invariants.ts");
    const tighter = hs.map((h) => h.kind === "BootcNodePool" ? { ...h, object: { ...h.object, spec: { ...h.object.spec, rollout: { maxUnavailable: 1 } } } } : h);
    console.log("tighter", vs(tighter as never, () => false).length);
    const noSlots = hs.filter((h) => !(h.kind === "Node" && h.object.spec?.unschedulable));
    console.log("as if never cordoned", [...new Set(vs(noSlots, () => false).map((v) => v.replace(/^.*?: /, "")))]);
    const podless = hs.filter((h) => !(h.kind === "Pod" && h.isGone));
    console.log("as if no pod had ever gone", vs(podless, () => false).slice(0, 3));
    try {
      await expect.poll(() => lab.stand(pool), { timeout: 60_000 }).toMatchObject({ upToDate: "AllUpdated", degraded: "Healthy", deployed: images[2]?.split("@")[1] });
      await expect.poll(async () => Object.values(await lab.look(nodes)).filter((n) => n.hasSlot || n.isCordoned).length, { timeout: 20_000 }).toBe(0);
      expect(lab.troubles).toEqual([]);
      await lab.expectNoViolations();
    } catch (error) {
      console.log(done.join("\n"));
      console.log(JSON.stringify(await lab.stand(pool)), JSON.stringify(await lab.look(nodes), null, 0));
      const { violationsOf } = await import("../support/bootc/invariants.ts");
      const v = violationsOf(lab.happenings(), () => false);
      console.log(v.join("\n"));
      for (const text of v.slice(0, 6)) {
        const [, name, rev] = /^(\S+) at revision (\d+)/.exec(text) ?? [];
        const near = lab.happenings().filter(({ object, revision }) => object.metadata?.name === name && Math.abs(revision - Number(rev)) < 150);
        for (const h of near) console.log(h.revision, h.kind, h.isGone, JSON.stringify({ a: h.object.metadata?.annotations, s: (h.object as { spec?: object }).spec && h.kind !== "Pod" ? (h.object as { spec?: object }).spec : 0, l: h.object.metadata?.labels?.["bootc.dev/managed"] }), h.kind === "BootcNode" ? JSON.stringify((h.object as never as {status: object}).status)?.replace(/"lastTransitionTime":"[^"]*",?/g, "").slice(0, 700) : "");
      }
      throw error;
    }
  });
});
