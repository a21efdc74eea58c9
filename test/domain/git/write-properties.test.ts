import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { digest, find, mark, write, zero } from "./cases.ts";

const app = "ghcr.io/org/app";
const versions = ["1.0.0", "v2.3.4-rc.1", "1.27.3-alpine", "2024.10.1", "v1.2.3_4"];

/** A field with its value left out. */
interface Hole {
  readonly before: string;
  readonly after: string;
  readonly fieldOf: (version: string, digest: string) => string;
  readonly hasDigest: boolean;
  readonly path: string;
}

const whole = { hasDigest: true, fieldOf: (version: string, sum: string) => `${app}:${version}@${sum}` };
const tag = { hasDigest: false, fieldOf: (version: string) => version };

const holes: readonly Hole[] = [
  {
    ...whole,
    path: "web.yaml",
    before:
      '# Owned by team web: do not touch\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {a: \'b\'}}\nspec:\n  template:\n    spec:\n      initContainers:\n        - image: busybox:1.36   # {"$imagepolicy": "shop:web2"}\n          args: ["-c", \'echo "# no"\']\n      containers:\n        - name: app\n          image: ',
    after: `  ${mark()}\n          command:\n            - sh\n            - -c\n            - |\n              # a script: {{ x }}\n              exec app # é ✓\n        -   name: sidecar\n            image: "envoy:v1.30"\n`,
  },
  {
    ...tag,
    path: "values.yaml",
    before: "global:   # all\n  image:\n    repository: ghcr.io/org/app\n    tag: ",
    after: ` ${mark(":tag")}\n    pullPolicy: IfNotPresent\nenv: {A: 1, B: "x y",}\n\n\n`,
  },
  {
    ...tag,
    path: "kustomization.yaml",
    before:
      '---\nnamespace: shop\nresources:\n  - web.yaml\nimages:\n  - name: nginx\n    newTag: "1"\n  - name: ghcr.io/org/app\n    newTag: ',
    after:
      '    # bumped\n\n  # last\n  - {name: redis, digest: "sha256:0"}\npatches:\n  - patch: |-\n      - op: remove\n        path: /x\n',
  },
  {
    ...whole,
    path: ".argocd-source-shop.yaml",
    before: "helm:\n  parameters:\n    - name: image\n      value: ",
    after: `  ${mark()}\n    - name: other\n`,
  },
];

const manifest = fc.record({
  hole: fc.constantFrom(...holes),
  quote: fc.constantFrom("", '"', "'"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  mark: fc.constantFrom("", "\uFEFF"),
  isCut: fc.boolean(),
  prefix: fc.array(
    fc.constantFrom(
      "a: |\n  image: x # y\n---\n",
      "# é\n",
      "b: [1, {c: d}]\n---\n",
      "\n",
      "list:\n- x: &x 1\n- *x\n---\n",
    ),
    { maxLength: 4 },
  ),
  suffix: fc.array(fc.constantFrom("---\nc: 'it''s'\n", "# end\n", "\n", "---\n{{ broken\n"), { maxLength: 3 }),
});

describe("a file with an image", () => {
  test("changes in the bytes of the value only, and is restored by the value before", () => {
    const version = fc.constantFrom(...versions);
    fc.assert(
      fc.property(
        manifest,
        version,
        version,
        ({ hole, quote, lineEnd, mark: bom, isCut, prefix, suffix }, from, to) => {
          const { path, before, after, fieldOf, hasDigest } = hole;
          const isStream = path !== "kustomization.yaml";
          const text = (value: string) => {
            const parts = isStream ? [...prefix, before, value, after, ...suffix] : [before, value, after];
            const all = parts.join("").replaceAll("\n", lineEnd);
            return bom + (isCut ? all.trimEnd() : all);
          };
          const valueOf = (chosen: string, sum: string) => `${quote}${fieldOf(chosen, sum)}${quote}`;
          const present = { [path]: text(valueOf(from, zero)) };
          const wanted = { [path]: text(valueOf(to, digest)) };
          const image = (chosen: string, sum: string) => `${app}:${chosen}${hasDigest ? `@${sum}` : ""}`;
          expect(find(present)).toBe(image(from, zero));
          expect(write(present, `${app}:${to}@${digest}`)).toEqual(wanted);
          expect(find(wanted)).toBe(image(to, digest));
          expect(write(wanted, image(from, zero))).toEqual(present);
        },
      ),
      { numRuns: propertyRuns(600) },
    );
  });

  test("never changes outside of a scalar, whatever surrounds the marker", () => {
    const pieces = fc.constantFrom(
      `image: ${app}:1.0.0 ${mark()}\n`,
      "image: ",
      "- ",
      "  ",
      "\n",
      "\r\n",
      "{",
      "}",
      "[",
      "]",
      "&a ",
      "*a",
      "|",
      '"',
      "'",
      ": ",
      "#",
      "---\n",
      `${app}:1.0.0`,
      mark(),
      ` ${mark(":tag")}`,
      "a: b\n",
      "\uFEFF",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const text = parts.join("");
        const written = write({ "a.yaml": text }, `${app}:9.9.9`);
        if (typeof written === "string") return;
        // Only what was the version differs, and the version before restores it.
        const after = written["a.yaml"] ?? "";
        const former = find({ "a.yaml": text });
        expect(after.replaceAll("9.9.9", "1.0.0")).toBe(text);
        expect(write(written, former)).toEqual({ "a.yaml": text });
      }),
      { numRuns: propertyRuns(3000) },
    );
  });
});
