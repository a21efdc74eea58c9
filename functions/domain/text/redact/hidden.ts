/** What replaces a secret. */
export const hidden = "[redacted]";
