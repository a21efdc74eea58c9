import { describe, expect, test } from "vitest";
import { refusals } from "./admission.ts";
import { changed, deployment, type Sample } from "./admission-samples.ts";

const kinds = ["deployments.apps", "statefulsets.apps", "daemonsets.apps"] as const;
const restartedAt = "kubectl.kubernetes.io/restartedAt";

type Edit = (workload: Sample) => void;
interface Row {
  readonly what: string;
  readonly edit: Edit;
}

const setsTheImage: Edit = ({ spec }) => void (app(spec).image = "registry.example/shop/app:1.1.0");
const restarts: Edit = ({ spec }) =>
  void (spec.template.metadata.annotations = { ...spec.template.metadata.annotations, [restartedAt]: "now" });

const spec = "only pawl:updaters may change a spec";
const beyond = "Pawl may change nothing of a";

const allowedToUpdaters: readonly Row[] = [
  { what: "nothing", edit: () => {} },
  { what: "the image", edit: setsTheImage },
  { what: "the images of two containers", edit: ({ spec: { template } }) => template.spec.containers.forEach(pin) },
  { what: "the time of a restart, for the first time", edit: restarts },
  { what: "image, claim and bookkeeping in one", edit: (it) => both(setsTheImage, claims)(it) },
];

const refusedToAll: readonly (Row & { readonly because: string })[] = [
  { what: "replicas", because: `${beyond} spec`, edit: (it) => void (it.spec["replicas"] = 0) },
  { what: "a selector", because: `${beyond} spec`, edit: (it) => void (it.spec["selector"] = {}) },
  { what: "a strategy taken away", because: `${beyond} spec`, edit: (it) => void delete it.spec["strategy"] },
  { what: "a pause added", because: `${beyond} spec`, edit: (it) => void (it.spec["paused"] = true) },
  { what: "a field beside the template's", because: `${beyond} spec`, edit: (it) => void (it.spec.template["x"] = 1) },
  {
    what: "a label of pods",
    because: `${beyond} pod template's`,
    edit: (it) => void (it.spec.template.metadata["labels"] = {}),
  },
  {
    what: "another annotation of pods",
    because: `${beyond} pod template's`,
    edit: (it) => annotatePods(it, "shop.example/config", "2"),
  },
  {
    what: "a new annotation of pods",
    because: `${beyond} pod template's`,
    edit: (it) => annotatePods(it, "vault/inject", "true"),
  },
  {
    what: "annotations of pods taken away",
    because: `${beyond} pod template's`,
    edit: (it) => void delete it.spec.template.metadata.annotations,
  },
  {
    what: "a service account",
    because: `${beyond} pod but`,
    edit: (it) => void (it.spec.template.spec["serviceAccountName"] = "root"),
  },
  {
    what: "the host's network",
    because: `${beyond} pod but`,
    edit: (it) => void (it.spec.template.spec["hostNetwork"] = true),
  },
  {
    what: "a volume",
    because: `${beyond} pod but`,
    edit: (it) => void (it.spec.template.spec["volumes"] = [{ name: "x", hostPath: { path: "/" } }]),
  },
  {
    what: "an init container's image",
    because: `${beyond} pod but`,
    edit: (it) => it.spec.template.spec.initContainers.forEach(pin),
  },
  {
    what: "init containers taken away",
    because: `${beyond} pod but`,
    edit: (it) => void delete (it.spec.template.spec as Partial<typeof it.spec.template.spec>).initContainers,
  },
  { what: "a command", because: `${beyond} container`, edit: (it) => void (app(it.spec)["command"] = ["sh"]) },
  {
    what: "an argument",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec)["args"] = ["--listen", "80"]),
  },
  {
    what: "a variable",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec)["env"] = [{ name: "MODE", value: "root" }]),
  },
  { what: "a limit taken away", because: `${beyond} container`, edit: (it) => void delete app(it.spec)["resources"] },
  {
    what: "privileges",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec)["securityContext"] = { privileged: true }),
  },
  { what: "an image taken away", because: `${beyond} container`, edit: (it) => void delete app(it.spec).image },
  {
    what: "a container added",
    because: `${beyond} container`,
    edit: (it) => void it.spec.template.spec.containers.push({ name: "miner", image: "x" }),
  },
  {
    what: "a container taken away",
    because: `${beyond} container`,
    edit: (it) => void it.spec.template.spec.containers.pop(),
  },
  {
    what: "a container by another name",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec).name = "other"),
  },
  {
    what: "the order of containers",
    because: `${beyond} container`,
    edit: (it) => void it.spec.template.spec.containers.reverse(),
  },
  {
    what: "an image and a variable",
    because: `${beyond} container`,
    edit: (it) => both(setsTheImage, ({ spec: own }) => void (app(own)["env"] = []))(it),
  },
];

describe.for(kinds)("the spec of %s", (resource) => {
  const by = (group: string, edit: Edit) =>
    refusals({
      operation: "UPDATE",
      resource,
      groups: [group],
      oldObject: deployment,
      object: changed(deployment, edit),
    });

  test.for(allowedToUpdaters)("an updater may change $what", ({ edit }) => {
    expect(by("pawl:updaters", edit)).toEqual([]);
  });

  test.for(refusedToAll)("nobody of Pawl's may change $what", ({ edit, because }) => {
    expect(by("pawl:updaters", edit)).toEqual([expect.stringContaining(because)]);
    expect(by("pawl:recorders", edit)).toContain(spec);
    expect(by("shop:owners", edit)).toEqual([]);
  });

  test.for([
    { what: "an image", edit: setsTheImage },
    { what: "the time of a restart", edit: restarts },
  ])("a recorder may not change $what", ({ edit }) => {
    expect(by("pawl:recorders", edit)).toEqual([spec]);
    expect(by("pawl:pollers", edit)).toEqual([spec]);
  });
});

test("a restart is repeated, and is not forgotten where there were no annotations before", () => {
  const bare = changed(deployment, ({ spec: own }) => void delete own.template.metadata.annotations);
  const first = changed(bare, restarts);
  const again = changed(first, (it) => annotatePods(it, restartedAt, "later"));
  const ask = (oldObject: Sample, object: Sample) =>
    refusals({ operation: "UPDATE", resource: "daemonsets.apps", groups: ["pawl:updaters"], oldObject, object });
  expect([ask(bare, first), ask(first, again), ask(again, bare)]).toEqual([[], [], []]);
});

function app({ template }: Sample["spec"]) {
  const [first] = template.spec.containers;
  if (first === undefined) throw new Error("a sample has a container");
  return first;
}

function pin(container: { image?: string }): void {
  container.image = "registry.example/other:9";
}

function annotatePods({ spec: { template } }: Sample, key: string, value: string): void {
  template.metadata.annotations = { ...template.metadata.annotations, [key]: value };
}

function claims({ metadata }: Sample): void {
  metadata.annotations = {
    ...metadata.annotations,
    "pawl.dev/execution": "e-1",
    "pawl.dev/update-phase": "HealthCheck",
  };
}

function both(...edits: readonly Edit[]): Edit {
  return (workload) => edits.forEach((edit) => edit(workload));
}
