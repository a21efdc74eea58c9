import { expect, test } from "vitest";
import { decider } from "../../functions/polling/decider.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { resting, tags } from "./shop.ts";

test("the logins of those that pull alike are asked for once", async () => {
  const ports = fakePorts({ tags: { "shop/web": tags } });
  const asked: string[] = [];
  const cluster: typeof ports.cluster = {
    ...ports.cluster,
    pullLogins: async ({ pull }) => {
      asked.push(pull.secrets[0] ?? pull.serviceAccount);
      return pull.secrets;
    },
  };
  const decide = decider({ ...ports, cluster });
  const pulls = [["own"], [], ["own"], ["other"], []];
  const workloads = pulls.map((secrets, index) => ({
    ...resting(`web-${index}`, "registry.example/shop/web:1.0.0"),
    pull: { secrets, serviceAccount: "default" },
  }));
  await Promise.all(workloads.map(decide));
  expect(asked).toEqual(["own", "default", "other"]);
  expect(ports.listed).toHaveLength(3);
});
