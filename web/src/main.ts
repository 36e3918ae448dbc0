import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { dress } from "./lib/prefs.svelte.ts";

dress();
const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");
mount(App, { target });
