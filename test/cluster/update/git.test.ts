import { beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { createSuite } from "../suite.ts";
import { startGitCluster } from "./git-harness.ts";

const idle = { inFlight: null, minimum: null };

describeOnRealCluster("a repository that a controller applies every two seconds", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
    await suite.registry.pushImage("shop/reverted", ["1.0.0", "1.1.0"]);
  });

  test("brings a version that Pawl commits, and the one before if a person reverts that", async () => {
    const { run, ends, host, read, text, push, workloads, namespace } = await startGitCluster(suite, "good");
    expect(await run()).toMatchObject({ started: 1, failed: [] });
    expect(ends).toEqual(["Updated"]);
    expect(await read("web")).toBe(text("web", "1.1.0"));
    expect(await workloads()).toEqual([{ ...idle, tag: "1.1.0", results: ["1.1.0 Healthy"] }]);
    await push("web", "1.0.0");
    await eventually("the revert is applied", async () => {
      const [web] = await workloads();
      return web?.tag === "1.0.0";
    });
    expect(await run()).toMatchObject({ started: 0, failed: [] });
    expect(await host.log()).toEqual(["a person", `Update ${namespace}/web to 1.1.0`, "initial"]);
  });

  test("brings a bad version, and the one before once Pawl has restored it in git", async () => {
    const { run, ends, host, read, workloads, namespace } = await startGitCluster(suite, "bad", ["web"], "3m");
    const before = await read("web");
    await run();
    expect(ends).toEqual(["RolledBack"]);
    expect(await read("web")).toBe(before);
    expect(await host.log()).toEqual([
      `Restore ${namespace}/web to 1.0.0`,
      `Update ${namespace}/web to 1.1.0-bad`,
      "initial",
    ]);
    expect(await workloads()).toEqual([{ ...idle, tag: "1.0.0", results: ["1.1.0-bad RolledBack"] }]);
    expect(await run()).toMatchObject({ started: 0 });
  });

  test("is suspended while a person reverts the commit: the version is held, and a newer one is not", async () => {
    const { run, ends, host, pawl, suspend, push, workloads, namespace } = await startGitCluster(suite, "reverted");
    suspend(true);
    await pawl.poll();
    await eventually("the commit is recorded", async () => {
      const [web] = await workloads();
      return web?.inFlight?.git?.commit !== undefined;
    });
    await push("web", "1.0.0");
    await eventually("the execution ends", async () => pawl.running() === 0);
    expect(ends).toEqual(["Superseded"]);
    suspend(false);
    const results = ["1.1.0 Superseded"];
    expect(await workloads()).toEqual([{ ...idle, tag: "1.0.0", results, minimum: "1.1.0" }]);
    expect(await run()).toMatchObject({ started: 0, failed: [] });
    await suite.registry.pushImage("shop/reverted", ["1.2.0"]);
    await run();
    expect(await host.log()).toEqual([
      `Update ${namespace}/web to 1.2.0`,
      "a person",
      `Update ${namespace}/web to 1.1.0`,
      "initial",
    ]);
    expect(await workloads()).toMatchObject([{ inFlight: null, tag: "1.2.0", results: [...results, "1.2.0 Healthy"] }]);
  });

  test("brings 40 workloads that one commit updates", async () => {
    const names = [...Array(40).keys()].map((index) => `web-${10 + index}`);
    const { run, ends, host, workloads, namespace } = await startGitCluster(suite, "good", names);
    expect(await run()).toMatchObject({ started: 40, failed: [] });
    expect(ends).toEqual(names.map(() => "Updated"));
    expect(await workloads()).toEqual(names.map(() => ({ ...idle, tag: "1.1.0", results: ["1.1.0 Healthy"] })));
    expect(await host.log()).toEqual([`Update ${namespace}/web-10 to 1.1.0 and 39 more`, "initial"]);
  });
});
