import * as v from "valibot";
import { QueryRejected } from "../../ports/errors.ts";
import { basicAuthorization } from "../oci-registry/credentials/credentials.ts";
import { parseJson } from "../oci-registry/http/read-body.ts";

const token = v.pipe(v.string(), v.regex(/^[\w.~+/-]+=*$/));
/** Without control characters; a user name ends at the first colon. */
const basic = v.object({
  username: v.pipe(v.string(), v.regex(/^[^:\p{Cc}]+$/u)),
  password: v.pipe(v.string(), v.regex(/^\P{Cc}+$/u)),
  token: v.nullish(v.never()),
});
const bearer = v.object({ token, username: v.nullish(v.never()), password: v.nullish(v.never()) });

const forms = '{"username": "…", "password": "…"}, {"token": "…"} or a bearer token alone';

/** Returns the `Authorization` of a login. Throws `QueryRejected`, which names the source and never the text. */
export function parseAuthorization(text: string, source: string): string {
  const trimmed = text.trim();
  if (v.is(token, trimmed)) return `Bearer ${trimmed}`;
  const login = parseJson(Buffer.from(trimmed));
  if (v.is(bearer, login)) return `Bearer ${login.token}`;
  if (v.is(basic, login)) return basicAuthorization(login.username, login.password);
  throw new QueryRejected(`${source}: the text is not a login for a Prometheus; use ${forms}`, null);
}
