// Compiling this file is the test: tsc must refuse a switch that forgets a member of the oneof.
import type { SystemMessage } from "turnwire-schema/geminidataanalytics/v1";

export function kindOf({ kind }: SystemMessage): string {
  switch (kind.case) {
    case "text":
    case "schema":
    case "data":
    case "analysis":
    case "chart":
    case "error":
    case "exampleQueries":
    case undefined:
      return kind.case ?? "";
    default:
      // @ts-expect-error: "clarification" is left out above.
      return kind satisfies never;
  }
}
