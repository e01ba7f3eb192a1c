/** The responses of CES, from a response of fetch. */

import { fromJsonString } from "@bufbuild/protobuf";
import { registry } from "turnwire-schema";
import { RunSessionResponseSchema, type RunSessionResponse } from "turnwire-schema/ces/v1";
import { elements } from "./elements.js";

/** The service reported an error. */
export class ServiceError extends Error {
  override name = "ServiceError";

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Yields the messages as they arrive. An error comes after all messages before it. */
export async function* responses(response: Response): AsyncGenerator<RunSessionResponse> {
  for await (const text of elements(response)) {
    const error = errorIn(JSON.parse(text));
    if (error !== undefined) throw error;
    // The registry knows the types of an `Any`. New fields of the service are left out.
    yield fromJsonString(RunSessionResponseSchema, text, { registry, ignoreUnknownFields: true });
  }
  if (!response.ok) throw new ServiceError(response.status, response.statusText);
}

/** Finds an element such as `{"error": {"code": 429, "message": "Slow down."}}`. */
function errorIn(element: unknown): ServiceError | undefined {
  if (!isObject(element) || !isObject(element["error"])) return undefined;
  const { code, message } = element["error"];
  return new ServiceError(Number(code), String(message));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
