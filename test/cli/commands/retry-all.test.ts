import { afterAll, beforeAll, expect, test } from "vitest";
import { answerRequests } from "../answer-requests.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

const failed = { failedVersions: ["1.1.0"], rollbackCount: 1 };

/** Returns a workload with its AutoUpdate. */
function pair(name: string, image: string, status: object = failed, namespace = "shop") {
  return [builtIn("Deployment", name, image), autoUpdate("Deployment", name, status)].map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace },
  }));
}

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, (registry) => [
    ...pair("held", `${registry}/shop/web:1.0.0`, { candidateVersion: "1.1.0" }),
    ...pair("a", `${registry}/shop/web:1.0.0`),
    ...pair("b", `${registry}/shop/web:1.0.0`, { failedVersions: ["1.0.5", "1.1.0"] }),
    ...pair("old", `${registry}/shop/web:1.0.0`, { failedVersions: ["1.0.5"] }),
    ...pair("lib", `${registry}/shop/lib:1.0.0`),
    ...pair("far", `${registry}/shop/web:1.0.0`, failed, "other"),
  ]);
});
afterAll(() => fixture.close());

const requestOf = async (name: string, namespace = "shop") =>
  (await fixture.annotations(`pawl.dev/v1alpha1/namespaces/${namespace}/autoupdates/deployment-${name}`))[
    "pawl.dev/request"
  ];

test("pawl retry --all asks all workloads of the namespace and repository in which the version has failed", async () => {
  const ran = await answerRequests(fixture.cluster, () => fixture.pawl("retry", "shop/held", "1.1.0", "--all"));
  expect(ran.status).toBe(0);
  const lines = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(":")[0]);
  expect(new Set(lines)).toEqual(new Set(["deployment/shop/a", "deployment/shop/b"]));
  const versionsOf = async (name: string) => {
    const { status } = await fixture.object(`pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-${name}`);
    return (status as { failedVersions?: readonly string[] }).failedVersions ?? [];
  };
  expect([await versionsOf("a"), await versionsOf("b"), await versionsOf("lib")]).toEqual([[], ["1.0.5"], ["1.1.0"]]);
  expect([await requestOf("old"), await requestOf("lib"), await requestOf("far", "other")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("with -A it asks those of all namespaces, and prints one list", async () => {
  const ran = await fixture.pawl("retry", "shop/held", "1.1.0", "--all", "-A", "--no-wait", "--json");
  expect(JSON.parse(ran.stdout)).toMatchObject([{ workload: "deployment/other/far", status: "requested" }]);
});

test("without a version it asks for every failed one", async () => {
  const ran = await fixture.pawl("retry", "shop/held", "--all", "--no-wait");
  expect(
    ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(":")[0]),
  ).toEqual(["deployment/shop/b", "deployment/shop/old"]);
});

test("if the version has failed nowhere nothing is written", async () => {
  const ran = await fixture.pawl("retry", "shop/lib", "9.9.9", "--all");
  expect(ran).toMatchObject({
    stdout: "",
    status: 1,
    stderr: expect.stringContaining("9.9.9 has failed in no workload"),
  });
  expect(await requestOf("lib")).toBeUndefined();
});
