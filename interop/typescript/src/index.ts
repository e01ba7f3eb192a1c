// Both APIs under their own names, since both have a Message, and the registry of all their types.
export * as ces from "./ces.js";
export * as geminidataanalytics from "./geminidataanalytics.js";
export { registry } from "./registry.js";
