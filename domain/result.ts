/** The outcome of an operation. An expected refusal is returned; a bug or an outage is thrown. */
export type Result<Value, Refusal> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal }

export function accepted<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function refused<Refusal>(refusal: Refusal): {
  readonly ok: false
  readonly refusal: Refusal
} {
  return { ok: false, refusal }
}
