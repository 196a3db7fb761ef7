// The light/dark button. A choice that equals the system's is forgotten, so the page follows the system again.
const KEY = "seq2seq-book:theme";
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

const systemTheme = () => (system.matches ? "dark" : "light");
const shownTheme = () => root.dataset.theme ?? systemTheme();

/** Make the button switch and report the theme that is shown. */
export function startThemeButton(button) {
  const report = () => button.setAttribute("aria-pressed", String(shownTheme() === "dark"));
  button.addEventListener("click", () => {
    setTheme(shownTheme() === "dark" ? "light" : "dark");
    report();
  });
  system.addEventListener("change", () => {
    if (root.dataset.theme === systemTheme()) setTheme(systemTheme());
    report();
  });
  addEventListener("storage", (event) => {
    if (event.key !== KEY && event.key !== null) return;
    show(event.newValue);
    report();
  });
  report();
}

function setTheme(theme) {
  const choice = theme === systemTheme() ? null : theme;
  show(choice);
  try {
    if (choice) localStorage.setItem(KEY, choice);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is forbidden or full: the choice holds for this page only.
  }
}

function show(choice) {
  if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  else delete root.dataset.theme;
}
