// Colours and the size of cards before the page is drawn: those that settings.js stored, or the system's.

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => { try { return JSON.parse(localStorage.getItem("undercut.settings")) ?? {}; } catch { return {}; } };
  const shade = (chosen, system) => (["light", "dark"].includes(chosen) ? chosen : system);
  const apply = () => {
    const { theme, cards, colours, size } = kept();
    const page = shade(theme, dark.matches ? "dark" : "light");
    const { dataset } = document.documentElement;
    dataset.theme = page;
    dataset.cardTheme = cards === "page" ? page : shade(cards, "light");
    dataset.cardSize = ["small", "large"].includes(size) ? size : "normal";
    dataset.cardColours = colours === "two" ? "two" : "four";
  };
  apply();
  dark.addEventListener("change", apply);
  addEventListener("undercut-settings", apply);
})();
