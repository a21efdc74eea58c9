/** Words that name a variant, so that another one must not replace them. */
const variantWords =
  /^(?:alpine|slim|debian|ubuntu|trixie|bookworm|bullseye|buster|stretch|noble|jammy|focal|bionic|fpm|apache|cli|perl|otel|jdk|jre|windowsservercore|nanoserver|chiseled|distroless|musl|glibc|uclibc)$/i;

/** Reports whether a tag is one word, such as `latest`, `stable` or `main`, or absent: it names what is newest, without a variant. */
export function isChannel(tag: string): boolean {
  return /^[A-Za-z]*$/.test(tag) && !variantWords.test(tag);
}
