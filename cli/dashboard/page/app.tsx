import { PlanPage } from "./workload/plan-page.tsx";
import { PoolPage } from "./pool/pool-page.tsx";
import { PoolsPage } from "./pool/pools-page.tsx";
import { useEffect } from "preact/hooks";
import type { LoginRow } from "../model.ts";
import { signOut } from "./api.ts";
import { LastPoll } from "./last-poll.tsx";
import { type Route, titleOf } from "./route.ts";
import { useRoute } from "./use-route.ts";
import { SignIn, SignInLinks } from "./sign-in.tsx";
import { useStore } from "./store.ts";
import { toggleTheme } from "./theme.ts";
import { WorkloadPage } from "./workload/workload-page.tsx";
import { WorkloadsPage } from "./workload/workloads-page.tsx";

export function App() {
  const route = useRoute();
  const { problem, clusters, logins, refusal } = useStore();
  const problems = [...clusters].flatMap(([name, one]) => (one.problem === null ? [] : [labelOf(name, one.problem)]));
  const title = titleOf(route);
  useEffect(() => {
    document.title = `${title} · Pawl`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="#/workloads">
          Pawl
        </a>
        {refusal === null ? <Pages route={route} /> : null}
        {[...clusters].map(([name, { polls, context }]) => (
          <span key={name} class="note">
            <LastPoll name={name} polls={polls} />
            {polls === null || name !== "" ? null : " · "}
            {context === null || name !== "" ? null : (
              <span title={`user ${context.user}`}>
                {context.context} at {context.server}
              </span>
            )}
          </span>
        ))}
        <Viewer logins={logins} />
        <button type="button" class="plain" onClick={toggleTheme}>
          <span aria-hidden="true">◐</span> Light or dark
        </button>
      </header>
      {problem === null && problems.length === 0 ? null : (
        <p class="banner" role="alert">
          This page may be outdated or incomplete: {problem ?? problems.join("; ")}
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {refusal === null ? <Page route={route} /> : <SignIn refusal={refusal} logins={logins} />}
      </main>
    </>
  );
}

function Pages({ route }: { readonly route: Route }) {
  const currentIf = (page: Route["page"]) => (route.page === page ? "page" : undefined);
  return (
    <nav aria-label="Pages">
      <a href="#/workloads" aria-current={currentIf("workloads")}>
        Workloads
      </a>
      <a href="#/pools" aria-current={currentIf("pools")}>
        Node pools
      </a>
      <a href="#/plan" aria-current={currentIf("plan")}>
        Next poll
      </a>
    </nav>
  );
}

/** Who has signed in, and what else there is to sign in to. Nothing if the page has a token instead. */
function Viewer({ logins }: { readonly logins: readonly LoginRow[] }) {
  const users = new Set(logins.map(({ user }) => user).filter((user) => user !== null));
  if (users.size === 0) return null;
  return (
    <>
      <SignInLinks logins={logins} />
      <span class="note">{[...users].join(", ")}</span>
      <button type="button" class="plain" onClick={() => void signOut()}>
        Sign out
      </button>
    </>
  );
}

function labelOf(cluster: string, text: string): string {
  return cluster === "" ? text : `${cluster}: ${text}`;
}

function Page({ route }: { readonly route: Route }) {
  if (route.page === "workload") return <WorkloadPage key={route.key} name={route.key} />;
  if (route.page === "pools") return <PoolsPage />;
  if (route.page === "pool") return <PoolPage key={route.name} name={route.name} />;
  return route.page === "plan" ? <PlanPage /> : <WorkloadsPage view={route.view} />;
}

/** The fragment is the route, so that a link to an element would leave the page. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
