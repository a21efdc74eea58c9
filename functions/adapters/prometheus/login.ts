import * as v from "valibot";
import { QueryRejected } from "../../ports/errors.ts";
import { basicAuthorization } from "../oci-registry/credentials/credentials.ts";
import { parseJson } from "../oci-registry/http/read-body.ts";

const absent = v.nullish(v.never());
const token = v.pipe(v.string(), v.regex(/^[\w.~+/-]+=*$/));
/** Without control characters; a user name ends at the first colon. */
const basic = v.object({
  username: v.pipe(v.string(), v.regex(/^[^:\p{Cc}]+$/u)),
  password: v.pipe(v.string(), v.regex(/^\P{Cc}+$/u)),
  token: absent,
  headers: absent,
});
const bearer = v.object({ token, username: absent, password: absent, headers: absent });

const forms = '{"username": "…", "password": "…"}, {"token": "…"}, {"headers": {"NAME": "…"}} or a bearer token alone';
/** Headers that are part of the protocol are not a matter of a login. */
const headerName =
  /^(?!(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect)$)[a-z0-9][a-z0-9-]{0,63}$/i;
const headers = v.object({
  headers: v.pipe(
    v.record(v.pipe(v.string(), v.regex(headerName)), v.pipe(v.string(), v.regex(/^[!-~](?:[ -~]*[!-~])?$/))),
    v.check((all) => Object.keys(all).length > 0),
  ),
  token: absent,
  username: absent,
  password: absent,
});

/** Returns the headers of a login. Throws `QueryRejected`, which names the source and never the text. */
export function parseLogin(text: string, source: string): Record<string, string> {
  const trimmed = text.trim();
  if (v.is(token, trimmed)) return { authorization: `Bearer ${trimmed}` };
  const login = parseJson(Buffer.from(trimmed));
  if (v.is(bearer, login)) return { authorization: `Bearer ${login.token}` };
  if (v.is(basic, login)) return { authorization: basicAuthorization(login.username, login.password) };
  if (v.is(headers, login)) return login.headers;
  throw new QueryRejected(`${source}: the text is not a login; use ${forms}`, null);
}
