/**
 * What scripts/interop.py asks of each language:
 *
 *   check FOLDER   reads every golden vector and reports what became of it, one JSON line per input
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
