/** Words that follow "password: " or "token: " in a sentence. */
export const ordinaryWords: ReadonlySet<string> = new Set(
  (
    "a access already an and are argument authentication authorization cannot connection contains context could credentials denied dial does " +
    "empty eof error exit expected expired failed failure false field for found from get given got has http https illegal in incorrect " +
    "invalid io is length line lookup malformed mismatch missing must name need needs nil no none not null of on one open or " +
    "operation parse permission present read refused rejected required rpc should size stat syntax the timeout to " +
    "too true unable unauthorized undefined unexpected unknown unmarshal unset unsupported using verification was when while " +
    "with wrong x509 yes"
  ).split(" "),
);
