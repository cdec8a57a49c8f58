/** A second submission within this time, in milliseconds, counts as a double click (docs/product.md 5.1). */
const quietMs = 500

/** Rejects a submission while another one is running, and within 500 ms after the start of the last one. */
export type SubmissionGate = {
  /**
   * Returns whether a submission may start; does not itself reject later submissions. A form with invalid input never
   * calls `close`, so the user may submit it again immediately.
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
