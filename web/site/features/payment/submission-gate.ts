/** A second submission within this time, in milliseconds, counts as a double click (docs/product.md 5.1). */
const quietMs = 500

/** Rejects a submission while another one is running, and within 500 ms after the start of the last one. */
export type SubmissionGate = {
  /**
   * Whether a submission may start. The method does not change the gate: a form with invalid input does not call
   * `close`, so its next submission may start immediately.
   */
  isOpen(): boolean
  /** Call this when a submission starts. */
  close(): void
  /** Call this when the response has arrived. */
  release(): void
}

/** `now` returns milliseconds since any fixed moment. */
export function createSubmissionGate(now: () => number): SubmissionGate {
  let isUnderWay = false
  let claimedAt = Number.NEGATIVE_INFINITY
  return {
    isOpen: () => !isUnderWay && now() - claimedAt >= quietMs,
    close() {
      isUnderWay = true
      claimedAt = now()
    },
    release() {
      isUnderWay = false
    },
  }
}
