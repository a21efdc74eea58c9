import type { ComponentChildren } from "preact";
import type { WorkloadDetail } from "../../model.ts";
import { CanarySteps } from "./canary-steps.tsx";
import { shorten, Time } from "../format.tsx";
import { WorkloadActions } from "./workload-actions.tsx";
import { List } from "../list.tsx";
import { MachineDiagram } from "./machine.tsx";
import { MetricCharts } from "../chart/metric-charts.tsx";
import { NextPoll } from "../next-poll.tsx";
import { isLoaded, NotLoaded } from "../not-loaded.tsx";
import { Pods } from "./pods.tsx";
import { ReleaseList } from "./releases.tsx";
import { ReplicasSection } from "./replicas.tsx";
import { StateBadge } from "../state-badge.tsx";
import { useStore } from "../store.ts";
import { Tests } from "./tests.tsx";
import { Timeline } from "./timeline.tsx";
import { useDocument } from "../use-document.ts";

/** While an update is in flight, parts of it change without the workload: pods, Events. */
const refreshMs = 2000;

export function WorkloadPage({ name }: { readonly name: string }) {
  const row = useStore().workloads.get(name);
  const isBusy = row !== undefined && busyStates.has(row.state);
  const detail = useDocument<WorkloadDetail>("workload", name, row, isBusy ? refreshMs : 0);
  return isLoaded(detail) ? <Detail detail={detail} /> : <NotLoaded name={name} document={detail} />;
}

const busyStates: ReadonlySet<string> = new Set(["Updating", "RollingBack", "Waiting", "Stalled"]);

function Detail({ detail }: { readonly detail: WorkloadDetail }) {
  const { row, activeState, update, steps, measurements, criteria, problems, failedVersions } = detail;
  return (
    <>
      <p>
        <a href="#/workloads">Workloads</a>
      </p>
      <h1>
        {row.key} <StateBadge state={row.state} />
      </h1>
      <p class="reason">{shorten(row.message)}</p>
      <WorkloadActions detail={detail} />
      <dl class="facts">
        <Fact name="Current">{shorten(row.current ?? "–")}</Fact>
        <Fact name="Available">{shorten(row.available ?? "–")}</Fact>
        <Fact name="Circuit">
          {row.circuit}, {row.rollbacks} failed attempts
        </Fact>
        <Fact name="Last change">
          <Time at={row.changedAt} />
        </Fact>
        {failedVersions.length === 0 ? null : <Fact name="Failed versions">{failedVersions.join(", ")}</Fact>}
        {detail.lastRequest === null ? null : <Fact name="Last request">{detail.lastRequest}</Fact>}
      </dl>
      {problems.length === 0 ? null : (
        <ul class="problems">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {update === null ? null : (
        <section aria-labelledby="now">
          <h2 id="now">Now</h2>
          <p>
            {update.previous === null
              ? shorten(update.what)
              : `${shorten(update.previous)} → ${shorten(update.target)}`}
            , started <Time at={update.startedAt} />. Step: {update.step}
            {update.waitsFor === null ? "" : `, waits for ${update.waitsFor}`}.{" "}
            {update.ends === null ? null : (
              <>
                Next: {update.ends.as} <Time at={update.ends.at} />.
              </>
            )}
          </p>
          {update.execution === null ? null : (
            <p class="note">
              Execution <Execution name={update.execution} url={detail.executionsUrl} />
            </p>
          )}
          {update.page === null ? null : (
            <p class="note">
              In git <Outside href={update.page}>{update.page.replace("https://", "")}</Outside>
            </p>
          )}
          <MachineDiagram active={activeState} steps={steps} />
        </section>
      )}
      <Gates detail={detail} />
      <CanarySteps steps={steps} />
      <ReplicasSection detail={detail} />
      <Pods pods={detail.pods} />
      {measurements.length === 0 ? null : (
        <section aria-labelledby="metrics">
          <h2 id="metrics">Measurements</h2>
          <MetricCharts measurements={measurements} criteria={criteria} />
        </section>
      )}
      <Tests tests={detail.tests} />
      <History detail={detail} />
    </>
  );
}

/** Links to the console of AWS, if the installation is there. */
function Execution({ name, url }: { readonly name: string; readonly url: string | null }) {
  if (url === null) return <>{name}</>;
  return <Outside href={`${url}${encodeURIComponent(name)}`}>{name}</Outside>;
}

function Outside({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children} <span aria-hidden="true">↗</span>
    </a>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What stands between a newer version and its rollout, as of the last poll, and who lifts it. */
function Gates({ detail: { gates, waitsFor } }: { readonly detail: WorkloadDetail }) {
  if (gates.length === 0) return null;
  return (
    <section aria-labelledby="gates">
      <h2 id="gates">Gates</h2>
      <p class="note">{shorten(waitsFor ?? "")}</p>
      <ul class="gates">
        {gates.map(({ name, message, since, until, lift }) => (
          <li key={name}>
            <strong>
              <span aria-hidden="true">⊟</span> {name}
            </strong>
            <span>{shorten(message)}</span>
            <span class="note">
              {since === null ? null : (
                <>
                  closed since <Time at={since} />;{" "}
                </>
              )}
              {until === null ? null : (
                <>
                  opens <Time at={until} />;{" "}
                </>
              )}
              {lift === null ? "nobody can lift it" : shorten(lift)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ detail }: { readonly detail: WorkloadDetail }) {
  const { row, history, events, policy, policySource, executionsUrl } = detail;
  return (
    <>
      <NextPoll name={row.key} />
      <List
        title="History"
        empty="No completed updates."
        head={["Version", "Result", "Started", "Reason", "Execution"]}
        before={<Timeline detail={detail} />}
      >
        {history.map(({ version, status, appliedAt, reason, execution }) => [
          shorten(version),
          status,
          <Time at={appliedAt} />,
          reason ?? "",
          execution === null ? "" : <Execution name={execution} url={executionsUrl} />,
        ])}
      </List>
      {detail.audit.length === 0 ? null : (
        <List title="Audit" empty="" head={["At", "Who", "What", "Why"]}>
          {detail.audit.map(({ at, by, what, why }) => [<Time at={at} />, by, shorten(what), why ?? ""])}
        </List>
      )}
      <ReleaseList detail={detail} />
      <List title="Events" empty="No Events." head={["Type", "Reason", "Message", "Count", "At"]}>
        {events.map(({ type, reason, message, count, at }) => [
          type,
          reason,
          shorten(message),
          count,
          <Time at={at} />,
        ])}
      </List>
      <List
        title="Policy"
        empty=""
        head={["Setting", "Value", "From"]}
        before={<p class="note">Written in {policySource}.</p>}
      >
        {policy.map(({ name, value, from }) => [name, value, from])}
      </List>
    </>
  );
}
