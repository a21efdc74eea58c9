import { PlanPage } from "./workload/plan-page.tsx";
import { PoolPage } from "./pool/pool-page.tsx";
import { PoolsPage } from "./pool/pools-page.tsx";
import { useEffect } from "preact/hooks";
import { LastPoll } from "./last-poll.tsx";
import { type Route, titleOf } from "./route.ts";
import { useRoute } from "./use-route.ts";
import { SignIn } from "./sign-in.tsx";
import { useStore } from "./store.ts";
import { toggleTheme } from "./theme.ts";
import { WorkloadPage } from "./workload/workload-page.tsx";
import { WorkloadsPage } from "./workload/workloads-page.tsx";

export function App() {
  const route = useRoute();
  const { problem, context, refusal } = useStore();
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
        <nav aria-label="Pages">
          <a href="#/workloads" aria-current={route.page === "workloads" ? "page" : undefined}>
            Workloads
          </a>
          <a href="#/pools" aria-current={route.page === "pools" ? "page" : undefined}>
            Node pools
          </a>
          <a href="#/plan" aria-current={route.page === "plan" ? "page" : undefined}>
            Next poll
          </a>
        </nav>
        <LastPoll />
        {context === null ? null : (
          <span class="note" title={`user ${context.user}`}>
            {context.context} at {context.server}
          </span>
        )}
        <button type="button" class="plain" onClick={toggleTheme}>
          <span aria-hidden="true">◐</span> Light or dark
        </button>
      </header>
      {problem === null ? null : (
        <p class="banner" role="alert">
          This page may be outdated: {problem}
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {refusal === null ? <Page route={route} /> : <SignIn refusal={refusal} />}
      </main>
    </>
  );
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
