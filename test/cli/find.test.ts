import { describe, expect, test } from "vitest";
import { findWorkload } from "../../cli/workloads/find.ts";
import { formatWorkloadName } from "../../cli/workloads/name.ts";
import { workload } from "../support/workloads.ts";
import { fakeCluster } from "./fake-cluster.ts";

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

async function find(written: string, namespace = "default", workloads = all): Promise<string> {
  const open = { cluster: fakeCluster(workloads), namespace };
  return formatWorkloadName((await findWorkload(open, written)).ref);
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
  ] as const)("%s is %s", async ([written, found]) => {
    expect(await find(written)).toBe(found);
  });

  test("in the namespace that is meant where none is written", async () => {
    expect(await find("web", "shop")).toBe("deployment/shop/web");
    expect(await find("sts/db", "shop")).toBe("statefulset/shop/db");
  });
});

describe("a workload is not found", () => {
  test.for([
    { written: "shop/db", name: "WrongInput", says: "statefulset/shop/db, deployment/shop/db" },
    { written: "deployment/web", name: "WrongInput", says: "claw/deployment/web, deployment/default/web" },
    { written: "db", name: "NotFound", says: "is it statefulset/shop/db, deployment/shop/db?" },
    { written: "sts/shop/web", name: "NotFound", says: "is it deployment/shop/web" },
    { written: "cart", name: "NotFound", says: "there are deployment/shop/web" },
    { written: "a/b/c/d", name: "WrongInput", says: '"a/b/c/d"' },
    { written: "shop/", name: "WrongInput", says: '"shop/"' },
    { written: "", name: "WrongInput", says: "is not a workload" },
  ])("$written: $name", async ({ written, name, says }) => {
    const failure = await find(written).catch((error: Error) => error);
    expect(failure).toMatchObject({ name, message: expect.stringContaining(says) });
  });

  test("where there are many it names some, and where there are none it says so", async () => {
    const many = Array.from({ length: 25 }, (_, index) => named("Deployment", "shop", `app-${index}`));
    await expect(find("web", "shop", many)).rejects.toThrow("deployment/shop/app-19 and 5 more");
    await expect(find("web", "shop", [])).rejects.toThrow("no workload at all has");
  });
});
