/** Instead of all pages if the server refuses this one. */
export function SignIn({ refusal }: { readonly refusal: string }) {
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
