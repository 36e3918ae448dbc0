import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { dress } from "./lib/prefs.svelte.ts";
import { ui } from "./lib/words.ts";

dress();
const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");
if (CSS.supports("color", "light-dark(#000, #fff)")) mount(App, { target });
else target.textContent = ui("state.old_browser");
