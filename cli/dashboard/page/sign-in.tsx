import type { LoginRow } from "../model.ts";

interface Props {
  readonly refusal: string;
  /** None if the page has a token instead. */
  readonly logins: readonly LoginRow[];
}

/** Instead of all pages if the server refuses this one. */
export function SignIn({ refusal, logins }: Props) {
  if (logins.length > 0) {
    return (
      <div class="panel sign-in" role="alert">
        <h1>Sign in</h1>
        <p>You are not signed in, or no longer. You see and change what your own rights in each cluster allow.</p>
        <div class="actions">
          <SignInLinks logins={logins} />
        </div>
      </div>
    );
  }
  return (
    <div class="panel sign-in" role="alert">
      <h1>This page needs its token</h1>
      <p>The server answered: {refusal}.</p>
      <p>
        Copy the whole address that <code>pawl dashboard</code> (or <code>pawl local --dashboard</code>) printed in your
        terminal, up to its end, and open it here:
      </p>
      <pre>{location.origin}/#token=…</pre>
      <p class="note">
        A token is valid until the command ends. If it was started again, its new address has a new token. A browser
        that blocks cookies cannot keep it.
      </p>
    </div>
  );
}

/** A link for each login that is missing. */
export function SignInLinks({ logins }: { readonly logins: readonly LoginRow[] }) {
  const missing = logins.filter(({ user }) => user === null);
  return (
    <>
      {missing.map(({ name, clusters }) => (
        <a key={name} class="button" href={`/login/${name}`}>
          Sign in to {clusters.join(", ")}
        </a>
      ))}
    </>
  );
}
