import { useEffect, useState } from "preact/hooks";

const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

/** Kept in the browser; without a choice, the system's theme. */
export function applyTheme(): void {
  const kept = localStorage.getItem("theme");
  document.documentElement.dataset["theme"] = themes.find((theme) => theme === kept) ?? systemTheme();
}

export function toggleTheme(): void {
  const next: Theme = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  applyTheme();
}

function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Returns the theme, and renders the component again after it has changed: a canvas has no style sheet. */
export function useTheme(): string {
  const read = () => document.documentElement.dataset["theme"] ?? "light";
  const [theme, setTheme] = useState(read);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(read()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return theme;
}
