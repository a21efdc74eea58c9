import { hidden } from "./hidden.ts";

/** What is a secret by its form or by what is before it, and what replaces it. Each is linear in the length of the text. */
const formats: readonly (readonly [RegExp, string])[] = [
  // The password in the address of a database driver of Go.
  [/:[^\s:"']{1,200}@(?=(?:tcp|udp|unix)6?\()/g, `:${hidden}@`],
  // Words that follow "bearer" in a sentence are no tokens.
  [
    /\b(bearer[ \t]{1,4})(?!(?:authenticat|authoriz|tokens?\b|credential|scheme|header|realm=|error=|challenge|required|method|format|missing|invalid|expired|failed|rejected))[\w.~+/=-]{6,}/gi,
    `$1${hidden}`,
  ],
  [/\b((?:[Bb]asic|BASIC)[ \t]{1,4})(?=[A-Za-z][a-z]{0,60}[A-Z0-9+/=])[A-Za-z0-9+/]{6,}={0,2}/g, `$1${hidden}`],
  [/(<[\w:.-]{0,40}(?:password|passwd|secret|token|apikey)>)[^<]{1,400}/gi, `$1${hidden}`],
  // A JSON Web Token.
  [/(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, hidden],
  // AWS, Google, GitHub, GitLab, Slack, Stripe, npm, Docker, DigitalOcean, SendGrid, Vault, OpenAI, Anthropic.
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/g, hidden],
  [/(?<![A-Za-z0-9])(?:AIza[\w-]{30,}|ya29\.[\w-]{10,}|GOCSPX-[\w-]{10,})/g, hidden],
  [/(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{6,}|github_pat_\w{6,})/g, hidden],
  [/(?<![A-Za-z0-9])gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|oas)-[\w.-]{10,}/g, hidden],
  [/(?<![A-Za-z0-9])(?:xox[a-z]-|xapp-\d)[\w-]{6,}/g, hidden],
  [/(hooks\.slack\.com\/(?:services|workflows)\/|\/api\/webhooks\/\d{1,30}\/)[\w/-]{4,}/g, `$1${hidden}`],
  [/(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_[A-Za-z0-9]{6,}|whsec_[A-Za-z0-9+/=]{10,})/g, hidden],
  [/(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{30,}|dckr_(?:pat|oat)_[\w-]{10,}|do[opr]_v1_[0-9a-f]{10,})/g, hidden],
  [/(?<![A-Za-z0-9])(?:SG\.[\w-]{16,}\.[\w-]{16,}|hv[sbr]\.[\w-]{16,})/g, hidden],
  [/(?<![A-Za-z0-9])sk-(?:ant|proj|svcacct)-[\w-]{10,}/g, hidden],
  [/(?<![A-Za-z0-9])sk-[A-Za-z0-9]{20,}/g, hidden],
];

/** Replaces tokens of known forms. */
export function redactTokens(text: string): string {
  return formats.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text);
}
