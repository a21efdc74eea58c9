import { expect, test } from "vitest";
import { configUses, mergeUses } from "../../../../functions/adapters/kubernetes/config/pod-config.ts";
import type { PodTemplate } from "../../../../functions/adapters/kubernetes/objects.ts";

interface Case {
  readonly when: string;
  readonly container?: object;
  readonly spec?: object;
  /** `kind/name`, `:key` if one is used, `?` if it is optional. */
  readonly uses: readonly string[];
}

const web = { name: "web", key: "LEVEL" };

test.for<Case>([
  { when: "nothing is used", uses: [] },
  { when: "a value is given", container: { env: [{ name: "A", value: "1" }] }, uses: [] },
  {
    when: "a field of the pod is used",
    container: { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
    uses: [],
  },
  {
    when: "keys are used in the environment",
    container: {
      env: [
        { name: "A", valueFrom: { configMapKeyRef: web } },
        { name: "B", valueFrom: { secretKeyRef: { ...web, optional: true } } },
      ],
    },
    uses: ["configmap/web:LEVEL", "secret/web:LEVEL?"],
  },
  {
    when: "all keys are used in the environment",
    container: { envFrom: [{ configMapRef: { name: "web" } }, { secretRef: { name: "db", optional: true } }] },
    uses: ["configmap/web", "secret/db?"],
  },
  {
    when: "an init container uses it",
    spec: { initContainers: [{ name: "init", envFrom: [{ secretRef: { name: "db" } }] }] },
    uses: ["secret/db"],
  },
  {
    when: "volumes use it",
    spec: {
      volumes: [
        { name: "a", configMap: { name: "web", items: [{ key: "x", path: "x" }] } },
        { name: "b", secret: { secretName: "db", optional: true } },
        { name: "c", emptyDir: {} },
      ],
    },
    uses: ["configmap/web:x", "secret/db?"],
  },
  {
    when: "a projected volume uses it",
    spec: {
      volumes: [
        {
          name: "a",
          projected: {
            sources: [
              { configMap: { name: "web" } },
              {
                secret: {
                  name: "db",
                  items: [
                    { key: "x", path: "x" },
                    { key: "y", path: "y" },
                  ],
                },
              },
              { serviceAccountToken: { path: "token" } },
            ],
          },
        },
        { name: "b", projected: {} },
      ],
    },
    uses: ["configmap/web", "secret/db:x", "secret/db:y"],
  },
  { when: "a reference has no name", container: { envFrom: [{ configMapRef: {} }] }, uses: [] },
])("$when: $uses", ({ container, spec, uses }) => {
  const template = { spec: { containers: [{ name: "app", ...container }], ...spec } } as PodTemplate;
  expect(
    configUses(template).map(
      ({ kind, name, key, isOptional }) => `${kind}/${name}${key === null ? "" : `:${key}`}${isOptional ? "?" : ""}`,
    ),
  ).toEqual(uses);
});

const use = { kind: "configmap", name: "web", key: null, isOptional: false } as const;
const reference = { kind: "configmap", name: "web", keys: null, isRequired: true, requiredKeys: [], isNamed: false };

test.for([
  { when: "all keys", uses: [use], merged: { ...reference, id: "configmap/web" } },
  {
    when: "one key and all keys: all",
    uses: [{ ...use, key: "x" }, use],
    merged: { ...reference, requiredKeys: ["x"], id: "configmap/web" },
  },
  {
    when: "keys, each once and in order",
    uses: [
      { ...use, key: "y" },
      { ...use, key: "x", isOptional: true },
      { ...use, key: "y" },
    ],
    merged: {
      ...reference,
      keys: ["x", "y"],
      requiredKeys: ["y"],
      id: expect.stringMatching(/^configmap\/web#[0-9a-f]{8}$/),
    },
  },
  {
    when: "optional",
    uses: [{ ...use, isOptional: true }],
    merged: { ...reference, isRequired: false, id: "configmap/web" },
  },
  {
    when: "named too",
    uses: [use, { ...use, isNamed: true } as const],
    merged: { ...reference, isNamed: true, id: "configmap/web" },
  },
])("uses of one object are one reference: $when", ({ uses, merged }) => {
  expect(mergeUses(uses)).toEqual([merged]);
});

test("what its owner names is apart from some keys of it: naming it hides no change of these", () => {
  const used = mergeUses([{ ...use, key: "x" }]);
  const named = mergeUses([{ ...use, isNamed: true }]);
  expect(
    mergeUses([
      { ...use, isNamed: true },
      { ...use, key: "x" },
    ]),
  ).toEqual([...named, ...used]);
});

test("other keys are another reference, and references are in order", () => {
  const idOf = (key: string) => mergeUses([{ ...use, key }])[0]?.id;
  expect(idOf("x")).not.toBe(idOf("y"));
  expect(mergeUses([{ ...use, kind: "secret" }, use]).map(({ id }) => id)).toEqual(["configmap/web", "secret/web"]);
});
