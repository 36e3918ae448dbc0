import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { rulebook } from "./rulebook.ts";
import { sprites } from "./sprites.ts";

// `npm run dev` serves the page and hands everything else to a `kubli serve` beside it.
const SERVER = process.env["KUBLI_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [sprites(), rulebook(), svelte()],
  build: {
    outDir: "../src/kubli/server/static",
    emptyOutDir: true,
    // The oldest browsers that know light-dark(); for older ones it would be written out, at twice the size.
    target: ["chrome123", "firefox120", "safari17.5"],
    // The page's policy is `default-src 'self'`: no data: addresses, no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // On a busy machine Vite tells what took long: nothing for whoever starts the game to read.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    // words/ and docs/rules lie outside of web/
    fs: { allow: [".."] },
    proxy: { "/api": SERVER },
  },
});
