import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { clusterFolder, filesOf } from "./manifests.ts";

const folder = join(clusterFolder, "..", "team-page");

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly serviceAccountName?: string;
  readonly securityContext: object;
  readonly containers: readonly { readonly volumeMounts: readonly { readonly mountPath: string }[] }[];
}

const objects = filesOf(folder).map(
  (file) =>
    parse(readFileSync(file, "utf8")) as {
      readonly kind: string;
      readonly spec?: { readonly template: { readonly spec: Pod } };
    },
);
const pod = objects.find(({ kind }) => kind === "Deployment")?.spec?.template.spec as Pod;

test("the page for a team has no rights: no role, no binding, no token of a ServiceAccount", () => {
  expect(objects.map(({ kind }) => kind)).toEqual(["Namespace", "Deployment", "Service"]);
  expect(pod).toMatchObject({ automountServiceAccountToken: false });
  expect(pod).not.toHaveProperty("serviceAccountName");
});

test("its container is not root, writes no file, and has no capability", () => {
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  expect(pod.containers).toMatchObject([
    {
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    },
  ]);
});

test("the base of the image is pinned by digest", () => {
  expect(readFileSync(join(folder, "Dockerfile"), "utf8")).toMatch(
    /^ARG BASE=gcr\.io\/\S+@sha256:[0-9a-f]{64}\nFROM /m,
  );
});

test("the image reads its configuration where the Deployment mounts it", () => {
  const [, command = ""] = /^CMD (.+)$/m.exec(readFileSync(join(folder, "Dockerfile"), "utf8")) ?? [];
  const mounted = pod.containers[0]?.volumeMounts[0]?.mountPath;
  expect((JSON.parse(command) as string[]).at(-1)).toBe(`${mounted}/team-page.yaml`);
});

test("the documented patch for tls lets every probe use HTTPS", () => {
  const page = readFileSync(join(folder, "..", "..", "docs", "how-to", "team-page.md"), "utf8");
  const [, written = ""] = /```yaml\n(patches:\n[^`]+)```/.exec(page) ?? [];
  const [{ patch }] = (parse(written) as { readonly patches: readonly [{ readonly patch: string }] }).patches;
  const probes = Object.keys(pod.containers[0] ?? {}).filter((field) => field.endsWith("Probe"));
  const containers = "/spec/template/spec/containers/0";
  expect(parse(patch)).toEqual(
    probes.map((probe) => ({ op: "add", path: `${containers}/${probe}/httpGet/scheme`, value: "HTTPS" })),
  );
});
