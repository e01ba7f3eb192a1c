// The APIs, and the registry of all their types.
export * from "./apis.js";
export { registry } from "./registry.js";
