import { describe, expect, test } from "vitest";
import { refusals } from "./admission.ts";
import { changed, cronJob } from "./admission-samples.ts";

type CronJob = typeof cronJob;
type Edit = (copy: CronJob) => void;

const podsOf = ({ spec }: CronJob) => spec.jobTemplate.spec.template;
const containersOf = (it: CronJob) => [...podsOf(it).spec.containers, ...podsOf(it).spec.initContainers];

function by(group: string, edit: Edit): readonly string[] {
  const object = changed(cronJob, edit);
  return refusals({ operation: "UPDATE", resource: "cronjobs.batch", groups: [group], oldObject: cronJob, object });
}

describe("the spec of a CronJob", () => {
  test("an updater may change the images of its pods, and nobody else of Pawl's", () => {
    const edit: Edit = (it) => containersOf(it).forEach((container) => (container.image = "registry.example/other:9"));
    expect(by("pawl:updaters", edit)).toEqual([]);
    for (const group of ["pawl:pollers", "pawl:recorders", "pawl:analysts"])
      expect(by(group, edit)).toEqual(["only pawl:updaters may change a spec"]);
  });

  test.for<{ what: string; because: string; edit: Edit }>([
    { what: "its schedule", because: "of a CronJob", edit: ({ spec }) => void (spec["schedule"] = "* * * * *") },
    { what: "its suspension", because: "of a CronJob", edit: ({ spec }) => void delete spec["suspend"] },
    { what: "a time zone", because: "of a CronJob", edit: ({ spec }) => void (spec["timeZone"] = "Etc/UTC") },
    {
      what: "a label of its Jobs",
      because: "of a CronJob",
      edit: ({ spec }) => void (spec.jobTemplate["metadata"] = { labels: {} }),
    },
    {
      what: "the metadata of its Jobs",
      because: "of a CronJob",
      edit: ({ spec }) => void delete spec.jobTemplate["metadata"],
    },
    {
      what: "how often its Jobs try again",
      because: "of a spec but",
      edit: ({ spec }) => void (spec.jobTemplate.spec["backoffLimit"] = 9),
    },
    {
      what: "a time of a restart",
      because: "pod template's",
      edit: (it) => void (podsOf(it).metadata.annotations = { "kubectl.kubernetes.io/restartedAt": "now" }),
    },
    {
      what: "a service account",
      because: "of a pod but",
      edit: (it) => void (podsOf(it).spec["serviceAccountName"] = "root"),
    },
    {
      what: "a command",
      because: "of a container but",
      edit: (it) => containersOf(it).forEach((container) => (container["command"] = ["sh"])),
    },
    {
      what: "a pull policy",
      because: "of a container but",
      edit: (it) => containersOf(it).forEach((container) => (container["imagePullPolicy"] = "Always")),
    },
  ])("nobody of Pawl's may change $what", ({ because, edit }) => {
    expect(by("pawl:updaters", edit)).toEqual([expect.stringContaining(because)]);
    expect(by("pawl:recorders", edit)).toContain("only pawl:updaters may change a spec");
    expect(by("shop:owners", edit)).toEqual([]);
  });
});
