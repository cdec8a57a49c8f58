/**
 * The Message-ID of a row of `emails`, also its idempotency key at Resend. Every process computes the same id, so that
 * a second attempt after a crash is recognized as a duplicate. `resendCount` is the number of times that staff pressed
 * 'Resend'.
 */
export function messageIdOf(emailId: string, resendCount: number, domain: string): string {
  return `<${emailId}.${resendCount}@${domain}>`
}
