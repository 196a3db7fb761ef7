// On a narrow screen the rail (chapters, this page) opens over the text and takes the keyboard with it.
const root = document.documentElement;

/** Let `button` open and close `rail`; `covered` are the elements behind it. */
export function startMenu(button, rail, covered) {
  const isOpen = () => root.dataset.menu === "open";
  const set = (open) => {
    if (open === isOpen()) return;
    if (open) root.dataset.menu = "open";
    else delete root.dataset.menu;
    button.setAttribute("aria-expanded", String(open));
    for (const element of covered) element.inert = open;
    if (open) rail.querySelector("a")?.focus();
  };
  button.addEventListener("click", () => set(!isOpen()));
  rail.addEventListener("click", (event) => {
    if (event.target.closest("a")) set(false);
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    set(false);
    button.focus();
  });
  matchMedia("(width >= 60em)").addEventListener("change", () => set(false));
}
