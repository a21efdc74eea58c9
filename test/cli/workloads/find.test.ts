import { describe, expect, test } from "vitest";
import { findWorkload, findWorkloads } from "../../../cli/workloads/find.ts";
import { Forbidden } from "../../../functions/ports/errors.ts";
import { formatWorkloadName } from "../../../cli/workloads/name.ts";
import { workload } from "../../support/workloads.ts";
import { fakeCluster } from "../fake-cluster.ts";

function named(kind: string, namespace: string, name: string) {
  return workload({ ref: { apiVersion: "v1", kind, namespace, name, uid: `${kind}/${namespace}/${name}` } });
}

const all = [
  named("Deployment", "shop", "web"),
  named("StatefulSet", "shop", "db"),
  named("Deployment", "shop", "db"),
  named("DaemonSet", "default", "agent"),
  named("CronJob", "default", "report"),
  named("Claw", "deployment", "web"),
  named("Deployment", "default", "web"),
];

async function find(argument: string, namespace = "default", workloads = all): Promise<string> {
  const inNamespaces = (namespaces: readonly string[]) =>
    fakeCluster(workloads.filter(({ ref }) => namespaces.includes(ref.namespace)));
  const open = { cluster: fakeCluster(workloads), inNamespaces, namespace };
  return formatWorkloadName((await findWorkload(open, argument)).ref);
}

describe("a workload is found", () => {
  test.for([
    ["agent", "daemonset/default/agent"],
    ["shop/web", "deployment/shop/web"],
    ["deployment/shop/web", "deployment/shop/web"],
    ["Deployments/shop/web", "deployment/shop/web"],
    ["sts/shop/db", "statefulset/shop/db"],
    ["ds/agent", "daemonset/default/agent"],
    ["cj/report", "cronjob/default/report"],
    ["cronjobs/report", "cronjob/default/report"],
    ["claw/deployment/web", "claw/deployment/web"],
  ] as const)("%s is %s", async ([argument, found]) => {
    expect(await find(argument)).toBe(found);
  });

  test("in the default namespace", async () => {
    expect(await find("web", "shop")).toBe("deployment/shop/web");
    expect(await find("sts/db", "shop")).toBe("statefulset/shop/db");
  });
});

describe("a command that changes nothing finds a unique name in any namespace", () => {
  const scope = (namespace: string) => ({
    cluster: fakeCluster(all),
    inNamespaces: (namespaces: readonly string[]) =>
      fakeCluster(all.filter(({ ref }) => namespaces.includes(ref.namespace))),
    namespace,
  });

  test.for([
    { name: "agent", namespace: "shop", found: "daemonset/default/agent" },
    { name: "cj/report", namespace: "shop", found: "cronjob/default/report" },
    { name: "web", namespace: "shop", found: "deployment/shop/web" },
    {
      name: "web",
      namespace: "none",
      found: "did you mean deployment/shop/web, claw/deployment/web, deployment/default/web?",
    },
    { name: "db", namespace: "none", found: "did you mean statefulset/shop/db, deployment/shop/db?" },
    { name: "none/web", namespace: "shop", found: "did you mean deployment/shop/web, claw/deployment/web" },
  ])("$name in $namespace is $found", async ({ name, namespace, found }) => {
    const answer = await findWorkload(scope(namespace), name, { inAnyNamespace: true }).then(
      ({ ref }) => formatWorkloadName(ref),
      (error: Error) => error.message,
    );
    expect(answer).toContain(found);
  });
});

describe("a workload is not found", () => {
  test.for([
    { argument: "shop/db", name: "InvalidInput", message: "statefulset/shop/db, deployment/shop/db" },
    { argument: "deployment/web", name: "InvalidInput", message: "claw/deployment/web, deployment/default/web" },
    { argument: "db", name: "NotFound", message: "did you mean statefulset/shop/db, deployment/shop/db?" },
    { argument: "sts/shop/web", name: "NotFound", message: "did you mean deployment/shop/web" },
    { argument: "cart", name: "NotFound", message: "available: deployment/shop/web" },
    { argument: "a/b/c/d", name: "InvalidInput", message: '"a/b/c/d"' },
    { argument: "shop/deployment/web", name: "InvalidInput", message: 'begins with "shop", which is not a kind' },
    { argument: "shop/", name: "InvalidInput", message: '"shop/"' },
    { argument: "", name: "InvalidInput", message: "is not a workload" },
  ])("$argument: $name", async ({ argument, name, message }) => {
    const failure = await find(argument).catch((error: Error) => error);
    expect(failure).toMatchObject({ name, message: expect.stringContaining(message) });
  });

  test("the message lists at most 20 workloads, and reports if there are none", async () => {
    const many = Array.from({ length: 25 }, (_, index) => named("Deployment", "shop", `app-${index}`));
    await expect(find("web", "shop", many)).rejects.toThrow("deployment/shop/app-19 and 5 more");
    await expect(find("web", "shop", [])).rejects.toThrow("the annotation pawl.dev/auto-update=true enables it");
  });
});

describe("a user with rights in some namespaces only", () => {
  const denied = {
    list: () => {
      throw new Forbidden("list deployments: 403");
    },
  };
  const inNamespaces = (allowed: readonly string[]) => (namespaces: readonly string[]) =>
    fakeCluster(all.filter(({ ref }) => namespaces.includes(ref.namespace) && allowed.includes(ref.namespace)));

  test.for([
    { names: ["shop/web"], allowed: ["shop"] },
    { names: ["deployment/shop/web"], allowed: ["shop"] },
    { names: ["agent", "shop/web"], allowed: ["default", "shop"] },
  ])("$names needs no list of all namespaces", async ({ names, allowed }) => {
    const scope = { cluster: denied, inNamespaces: inNamespaces(allowed), namespace: "default" };
    expect(await findWorkloads(scope, names)).toHaveLength(names.length);
  });

  test("only the namespaces of the names are listed, and no kind is taken for one", async () => {
    const listed: string[][] = [];
    const spy = (namespaces: readonly string[]) => {
      listed.push([...namespaces]);
      return fakeCluster(all);
    };
    await findWorkloads({ cluster: denied, inNamespaces: spy, namespace: "default" }, ["shop/web", "cj/report"]);
    expect(listed).toEqual([["shop", "default", "cj"]]);
  });

  test("a name without a match is not found, although others may not be listed", async () => {
    const scope = { cluster: denied, inNamespaces: inNamespaces(["shop"]), namespace: "default" };
    await expect(findWorkloads(scope, ["shop/cart"])).rejects.toThrow("no workload shop/cart with Pawl enabled");
  });
});
