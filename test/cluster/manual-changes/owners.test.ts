import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { hasKubectl, runKubectl } from "../../support/run-kubectl.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import { createSuite } from "../suite.ts";
import { createManifest } from "./manifest.ts";

interface Owner {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly options: readonly string[];
  /** What Pawl calls it. */
  readonly described: string;
}

const helm = {
  labels: { "app.kubernetes.io/managed-by": "Helm" },
  annotations: { "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "apps" },
  described: "Helm release apps/shop",
};

const owners = {
  // The patch compares what was applied, the manifest to apply, and the live object.
  helm3: { ...helm, options: ["--field-manager=helm"] },
  helm4: { ...helm, options: ["--server-side", "--field-manager=helm"] },
  // It heals itself.
  argo: {
    annotations: { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:default/web" },
    options: ["--server-side", "--force-conflicts", "--field-manager=argocd-controller"],
    described: "Argo CD Application shop",
  },
  flux: {
    labels: { "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" },
    options: ["--server-side", "--force-conflicts", "--field-manager=kustomize-controller"],
    described: "Flux Kustomization flux-system/apps",
  },
  pipeline: { options: ["--server-side", "--field-manager=deployer"], described: "field manager deployer" },
  manifest: { options: [], described: "field manager kubectl-client-side-apply" },
} as const satisfies Readonly<Record<string, Owner>>;

const reapply = { [annotations.autoUpdate]: "true", "pawl.dev/on-revert": "reapply" };
const hold = { [annotations.autoUpdate]: "true" };

describeOnRealCluster("a Deployment whose image another owner sets too", () => {
  const suite = createSuite();

  beforeAll(async () => {
    for (const repository of ["named", "helm3", "argo", "flux"])
      await suite.registry.pushImage(`shop/${repository}`, ["1.0.0", "1.1.0"]);
  });

  async function start(repository: string) {
    const harness = await openAutoUpdateHarness(suite);
    const { namespace } = harness;
    const pawl = await harness.startPawl();
    const apply = async (name: string, owner: Owner, tag: string, policy: Readonly<Record<string, string>>) => {
      const image = `${suite.registry.host}/shop/${repository}:${tag}`;
      const own = { ...policy, ...owner.annotations };
      const manifest = createManifest({ kind: "Deployment", name, image, annotations: own });
      const labelled = { ...manifest, metadata: { ...manifest.metadata, labels: owner.labels ?? {} } };
      return runKubectl(["apply", ...owner.options, "-n", namespace, "-f", "-"], labelled);
    };
    const tag = async (name: string) => (await harness.deployment(name)).image.split(":").at(-1);
    const events = async (name: string, reason: string) => {
      const { stdout } = await runKubectl(["get", "events", "-n", namespace, "-o", "json"]);
      const { items } = JSON.parse(stdout) as { readonly items: readonly FoundEvent[] };
      return items.filter((one) => one.reason === reason && one.involvedObject.name === name).map((one) => one.message);
    };
    const status = async (name: string) => (await harness.read(`deployment-${name}`))?.status;
    return { harness, pawl, apply, tag, events, status };
  }

  describe.skipIf(!hasKubectl()).concurrent("in a namespace of its own", () => {
    test("gets one Event at the opt-in, with the owner and the setting", async ({ expect }) => {
      const { harness, pawl, apply, events } = await start("named");
      for (const [name, owner] of Object.entries(owners)) await apply(name, owner, "1.1.0", hold);
      await harness.createPlain("Deployment", "plain", `${suite.registry.host}/shop/named:1.1.0`, hold);
      await harness.settle(pawl, 3);
      for (const [name, { described }] of Object.entries(owners))
        expect(await events(name, "AutoUpdateOwner")).toEqual([
          expect.stringContaining(`${described} sets the image too; `),
        ]);
      expect(await events("argo", "AutoUpdateOwner")).toEqual([
        expect.stringContaining('.spec.template.spec.containers[] | select(.name == "app") | .image'),
      ]);
      expect(await events("plain", "AutoUpdateOwner")).toEqual([]);
    });

    test("keeps what helm upgrade sets back, by default", async ({ expect }) => {
      const { harness, pawl, apply, tag, events, status } = await start("helm3");
      const upgrade = () => apply("web", owners.helm3, "1.0.0", hold);
      await upgrade();
      await harness.settle(pawl);
      expect(await tag("web")).toBe("1.1.0");
      expect(await upgrade()).toMatchObject({ code: 0 });
      await harness.settle(pawl, 2);
      expect(await tag("web")).toBe("1.0.0");
      expect(await events("web", "AutoUpdateHeld")).toHaveLength(1);
      expect(await events("web", "AutoUpdateReapplied")).toEqual([]);
      expect(await status("web")).not.toHaveProperty("reverts");
    });

    test("is updated again after one that reconciles once, with reapply", async ({ expect }) => {
      const { harness, pawl, apply, tag, events, status } = await start("flux");
      const reconcile = () => apply("web", owners.flux, "1.0.0", reapply);
      await reconcile();
      await harness.settle(pawl);
      await reconcile();
      await harness.settle(pawl, 2);
      expect(await tag("web")).toBe("1.1.0");
      const message = expect.stringContaining(
        `because ${owners.flux.described} has set back 1.0.0; set back again, it stays`,
      );
      expect(await events("web", "AutoUpdateReapplied")).toEqual([message]);
      const found = await status("web");
      expect(found?.reverts?.reapplied).toMatchObject([{ version: "1.1.0", owner: owners.flux.described }]);
      expect(found?.history).toMatchObject([{ version: "1.1.0" }, { version: "1.1.0", result: "Healthy" }]);
      expect(await events("web", "AutoUpdateStarting")).toHaveLength(1);
    });

    test("is never updated in a loop, also if a newer version appears in between", async ({ expect }) => {
      const { harness, pawl, apply, tag, events, status } = await start("argo");
      const heal = () => apply("web", owners.argo, "1.0.0", reapply);
      await heal();
      await harness.settle(pawl);
      for (let heals = 0; heals < 3; heals += 1) {
        await heal();
        await harness.settle(pawl);
      }
      expect(await tag("web")).toBe("1.0.0");
      expect(await status("web")).toMatchObject({ holdReason: expect.stringContaining("applied again once, at") });
      await suite.registry.pushImage("shop/argo", ["1.2.0"]);
      await harness.settle(pawl);
      expect(await tag("web")).toBe("1.2.0");
      await heal();
      await harness.settle(pawl, 2);
      expect(await tag("web")).toBe("1.0.0");
      expect(await events("web", "AutoUpdateReapplied")).toHaveLength(1);
    });
  });
});

interface FoundEvent {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string };
}
