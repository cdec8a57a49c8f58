/** A second submission sooner than this is a double click (docs/product.md 5.1). */
const quietMs = 500

/** Whether a submission is taken: none while one is under way, none within 500 ms of the one before. */
export type SubmissionGate = {
  /** Whether the form may be read now; a field that is still empty leaves the gate as it is. */
  isOpen(): boolean
  /** A submission was taken and is under way. */
  close(): void
  /** It is answered. */
  release(): void
}

/** `now` is in milliseconds, from any start. */
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
