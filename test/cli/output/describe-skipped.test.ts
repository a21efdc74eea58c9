import { describe, expect, test } from "vitest";
import { describeSkipped, namespaceHint, rightsHint } from "../../../cli/output/describe-skipped.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";

/** As an API server words it, and Pawl passes it on. */
function denial(resource: string, namespace: string | null, group = "apps", user = "jane"): Error {
  const where = namespace === null ? "at the cluster scope" : `in the namespace "${namespace}"`;
  const message = `${resource}.${group} is forbidden: User "${user}" cannot list resource "${resource}" in API group "${group}" ${where}`;
  return new Forbidden(`list ${resource}: 403 ${message}`);
}

describe("what may not be listed is one line", () => {
  test.for([
    { when: "nothing is skipped", skipped: [], lines: [] },
    {
      when: "a kind",
      skipped: [denial("cronjobs", "shop", "batch")],
      lines: ["jane may not list cronjobs.batch in namespace shop: these are not shown"],
    },
    {
      when: "several kinds of several namespaces",
      skipped: ["shop", "back"].flatMap((namespace) => [
        denial("statefulsets", namespace),
        denial("cronjobs", namespace, "batch"),
      ]),
      lines: ["jane may not list cronjobs.batch, statefulsets.apps in namespaces back, shop: these are not shown"],
    },
    {
      when: "all namespaces",
      skipped: [denial("claws", null, "claw.prismer.ai")],
      lines: ["jane may not list claws.claw.prismer.ai in all namespaces: these are not shown"],
    },
    {
      when: "the AutoUpdates, whose manifest is named",
      skipped: [denial("autoupdates", "shop", "pawl.dev")],
      lines: [`jane may not list autoupdates.pawl.dev in namespace shop: these are not shown; ${rightsHint}`],
    },
    {
      when: "other reasons keep their words, once each",
      skipped: [new Unreachable("list claws: 500"), new Unreachable("list claws: 500"), denial("claws", "shop")],
      lines: ["jane may not list claws.apps in namespace shop: these are not shown", "list claws: 500"],
    },
    {
      when: "a denial of another authorizer",
      skipped: [new Forbidden("list claws: 403 the webhook says no")],
      lines: ["list claws: 403 the webhook says no"],
    },
  ])("$when", ({ skipped, lines }) => {
    expect(describeSkipped(skipped)).toEqual(lines);
  });
});

describe("a list of all namespaces that is denied", () => {
  test("names the user and the option", () => {
    expect(namespaceHint(denial("deployments", null))).toMatchObject({
      name: "Forbidden",
      message: `jane may not list the workloads of all namespaces; use -n NAMESPACE for one of yours; ${rightsHint}`,
    });
  });

  test.for([new Unreachable("list claws: 500"), denial("deployments", "shop"), "text"])("%s stays", (error) => {
    expect(namespaceHint(error)).toBe(error);
  });
});
