import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config.ts";

export default mergeConfig(
  vite,
  defineConfig({
    plugins: [svelteTesting()],
    test: { environment: "jsdom", include: ["src/**/*.test.ts"] },
  }),
);
