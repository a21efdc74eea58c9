import { expect, test } from "vitest";
import { circuitOpened, updateAvailable, updateHeld, updateStarted } from "../../functions/domain/news.ts";
import { tell } from "../../functions/telling.ts";
import { fakePorts, killedAt } from "../support/fake-ports.ts";
import { target, workload } from "../support/workloads.ts";

const seen = workload({ bookkeeping: { currentVersion: "1.0.0", rollbackCount: 3 } });
const detail = { cluster: "production", workload: seen.ref, currentVersion: "1.0.0" };

test.for([
  {
    news: updateAvailable(seen, "1.1.0", target),
    reason: "AutoUpdateAvailable",
    key: "1.1.0",
    told: { type: "Update Available", execution: null, version: "1.1.0", image: target },
  },
  {
    news: updateStarted(target, "e-1"),
    reason: "AutoUpdateStarting",
    key: "e-1",
    told: { type: "Update Started", execution: "e-1", version: "1.1.0", image: target },
  },
  {
    news: circuitOpened(seen, target, "e-1"),
    reason: "AutoUpdateCircuitOpen",
    key: "e-1",
    told: { type: "Circuit Opened", execution: "e-1", version: "1.1.0", image: target },
  },
  {
    news: updateHeld("AutoUpdateHeld", "chosen by hand", null),
    reason: "AutoUpdateHeld",
    key: "chosen by hand",
    told: { type: "Update Held", execution: null, version: null, image: null },
  },
])("$told.type is told as an Event and, whole, on the bus", async ({ news, reason, key, told }) => {
  const ports = fakePorts({ workloads: [seen] });
  await tell(ports, seen, news);
  expect(ports.cluster.events()).toEqual([{ type: news.type, reason, message: news.message, key }]);
  expect(ports.published).toEqual([{ ...detail, ...told, reason: news.message }]);
});

test("told again after it was interrupted, it is one Event", async () => {
  const ports = fakePorts({ workloads: [seen], atMoment: killedAt("before publish") });
  const news = updateStarted(target, "e-1");
  await expect(tell(ports, seen, news)).rejects.toMatchObject({ name: "Killed" });
  expect(ports.published).toEqual([]);
  await tell(ports, seen, news);
  expect(ports.cluster.events()).toHaveLength(1);
  expect(ports.published).toHaveLength(1);
});
