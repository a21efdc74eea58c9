import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { hasKubectl, runKubectl } from "../../support/run-kubectl.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import type { Manifest } from "../../support/kubectl/apply.ts";
import { createSuite } from "../suite.ts";
import { createManifest } from "./manifest.ts";

const name = "web";
const optedIn = { [annotations.autoUpdate]: "true" };

describeOnRealCluster("kubectl apply --server-side of a Deployment whose image Pawl has changed", () => {
  const suite = createSuite();

  beforeAll(async () => {
    for (const repository of ["conflict", "same", "forced", "without", "client"])
      await suite.registry.pushImage(`shop/${repository}`, ["1.0.0", "1.1.0"]);
  });

  /** The owner applies 1.0.0, and Pawl updates it to 1.1.0. */
  async function start(repository: string, ...first: readonly string[]) {
    const harness = await openAutoUpdateHarness(suite);
    const { namespace } = harness;
    const pawl = await harness.startPawl();
    const image = (tag: string) => `${suite.registry.host}/shop/${repository}:${tag}`;
    const apply = (tag: string | null, ...options: readonly string[]) => {
      const manifest = createManifest({ kind: "Deployment", name, image: image(tag ?? ""), annotations: optedIn });
      const applied = tag === null ? withoutImage(manifest) : manifest;
      const serverSide = options.includes("--server-side=false") ? [] : ["--server-side"];
      return runKubectl(["apply", ...serverSide, ...options, "-n", namespace, "-f", "-"], applied);
    };
    const tag = async () => (await harness.deployment(name)).image.split(":").at(-1);
    await apply("1.0.0", ...first);
    await harness.settle(pawl);
    return { harness, pawl, apply, tag };
  }

  describe.skipIf(!hasKubectl()).concurrent("by its owner", () => {
    test("with the image before: the conflict names Pawl, and nothing changes", async ({ expect }) => {
      const { harness, pawl, apply, tag } = await start("conflict");
      expect(await tag()).toBe("1.1.0");
      const { code, stderr } = await apply("1.0.0");
      expect(code).toBe(1);
      expect(stderr).toMatch(/conflict with "pawl".*: \.spec\.template\.spec\.containers\[name="app"\]\.image/);
      await harness.settle(pawl, 2);
      expect(await tag()).toBe("1.1.0");
      expect((await harness.workload(name)).updateRecord).toMatchObject({
        currentVersion: "1.1.0",
        failedVersions: [],
      });
    });

    test("with the image that Pawl has set: no conflict, and Pawl continues with the next version", async ({
      expect,
    }) => {
      const { harness, pawl, apply, tag } = await start("same");
      expect(await apply("1.1.0")).toMatchObject({ code: 0, stderr: "" });
      await suite.registry.pushImage("shop/same", ["1.2.0"]);
      await harness.settle(pawl);
      expect(await tag()).toBe("1.2.0");
    });

    test.for([
      { when: "of the same kind", repository: "without", first: [] },
      { when: "of a client before", repository: "client", first: ["--server-side=false"] },
    ])("without an image, after an apply $when: no conflict, and Pawl continues", async (sample, { expect }) => {
      const { harness, pawl, apply, tag } = await start(sample.repository, ...sample.first);
      for (let times = 0; times < 2; times += 1) expect(await apply(null)).toMatchObject({ code: 0, stderr: "" });
      expect(await tag()).toBe("1.1.0");
      await suite.registry.pushImage(`shop/${sample.repository}`, ["1.2.0"]);
      await harness.settle(pawl);
      expect(await apply(null)).toMatchObject({ code: 0 });
      await harness.settle(pawl);
      expect(await tag()).toBe("1.2.0");
    });

    test("with --force-conflicts: its image stays until there is a newer version", async ({ expect }) => {
      const { harness, pawl, apply, tag } = await start("forced");
      expect(await apply("1.0.0", "--force-conflicts")).toMatchObject({ code: 0 });
      await harness.settle(pawl, 3);
      expect(await tag()).toBe("1.0.0");
      const { updateRecord } = await harness.workload(name);
      expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", failedVersions: [], rollbackCount: 0 });
      await suite.registry.pushImage("shop/forced", ["1.2.0"]);
      await harness.settle(pawl);
      expect(await tag()).toBe("1.2.0");
    });
  });
});

/** The image is optional in a manifest, so that another controller sets it. */
function withoutImage(manifest: Manifest): object {
  const { template } = manifest.spec;
  const containers = template.spec.containers.map(({ image: _image, ...container }) => container);
  return { ...manifest, spec: { ...manifest.spec, template: { ...template, spec: { ...template.spec, containers } } } };
}
