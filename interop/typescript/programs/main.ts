/**
 * Reads and writes messages for scripts/interop.py:
 *
 *   check FOLDER   reads every test vector and reports the result, one JSON line per input
 *   change TYPE    varint-delimited messages from stdin, changed, to stdout
 *   facts          scenarios from stdin, one JSON object per line; the facts of each to stdout
 */
import { argv } from "node:process";
import { change } from "./change.js";
import { check } from "./check.js";
import { facts } from "./facts.js";

const [command, argument = ""] = argv.slice(2);
switch (command) {
  case "check":
    check(argument);
    break;
  case "change":
    await change(argument);
    break;
  case "facts":
    facts();
    break;
  default:
    throw new Error(`expected check, change or facts, got ${command}`);
}
