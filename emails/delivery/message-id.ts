/**
 * The Message-ID of a row of `emails`, and its idempotency key at Resend: the same from whichever side
 * sends it, so that a message that is tried twice after a crash arrives as one. `resendCount` counts how often
 * the admin asked to send it again.
 */
export function messageIdOf(emailId: string, resendCount: number, domain: string): string {
  return `<${emailId}.${resendCount}@${domain}>`
}
