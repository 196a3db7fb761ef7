// Runs in the head, before the first paint: a remembered choice of light or dark. No choice means the system's.
try {
  const choice = localStorage.getItem("seq2seq-book:theme");
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
} catch {
  // Storage may be forbidden; the system's choice stands.
}
