declare module "virtual:rulebook/*" {
  const blocks: readonly import("./lib/rulebook.ts").Block[];
  export default blocks;
}
