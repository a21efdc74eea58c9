import type { DeniedChange } from "./cases.ts";
import { allContainers, denied, restartedAt, setOtherImage, setPullAlways } from "./edits.ts";
import type { CronJobSample } from "./samples.ts";

export const deniedInCronJobs: readonly DeniedChange<CronJobSample>[] = [
  { change: "schedule", message: denied.cronJob, edit: ({ spec }) => void (spec["schedule"] = "* * * * *") },
  { change: "suspend", message: denied.cronJob, edit: ({ spec }) => void (spec["suspend"] = true) },
  { change: "timeZone added", message: denied.cronJob, edit: ({ spec }) => void (spec["timeZone"] = "Etc/UTC") },
  {
    change: "the labels of its Jobs",
    message: denied.cronJob,
    edit: ({ spec }) => void (spec.jobTemplate["metadata"] = { labels: {} }),
  },
  {
    change: "the metadata of its Jobs removed",
    message: denied.cronJob,
    edit: ({ spec }) => void delete spec.jobTemplate["metadata"],
  },
  {
    change: "the backoffLimit of its Jobs",
    message: denied.spec,
    edit: ({ spec }) => void (spec.jobTemplate.spec["backoffLimit"] = 9),
  },
  {
    change: "restartedAt",
    message: denied.podMetadata,
    edit: (it) => void (podTemplateOf(it).metadata.annotations = { [restartedAt]: "now" }),
  },
  {
    change: "serviceAccountName",
    message: denied.pod,
    edit: (it) => void (podTemplateOf(it).spec["serviceAccountName"] = "root"),
  },
  {
    change: "command",
    message: denied.container,
    edit: (it) => allContainers(podTemplateOf(it)).forEach((container) => (container["command"] = ["sh"])),
  },
  {
    change: "imagePullPolicy to Always",
    message: denied.container,
    edit: (it) => allContainers(podTemplateOf(it)).forEach(setPullAlways),
  },
];

export function setImages(cronJob: CronJobSample): void {
  allContainers(podTemplateOf(cronJob)).forEach(setOtherImage);
}

function podTemplateOf({ spec }: CronJobSample) {
  return spec.jobTemplate.spec.template;
}
