// Light or dark theme: that of the system, until the user selects the other one on this page.
import { byId } from "./dom.js";

const current = () => document.documentElement.dataset.theme;

export function setUpTheme(changed) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? (dark ? "dark" : "light");
  byId("theme").addEventListener("click", () => nextTheme(changed));
}

export function nextTheme(changed) {
  document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
  localStorage.setItem("theme", current());
  changed();
}
