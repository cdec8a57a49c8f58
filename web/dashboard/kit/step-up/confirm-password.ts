import { confirmPasswordEndpoint } from '#contracts/step-up.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'

/**
 * Confirms the password of the signed-in staff account (docs/product.md 6.8). Returns the error message of a failed
 * confirmation; undefined after success.
 */
export async function confirmPassword(password: string): Promise<string | undefined> {
  const result = await callAsAdmin(confirmPasswordEndpoint, { password })
  if (result.ok) return undefined
  const { message, reply } = result.refusal
  if (reply.status === 0) return 'The server did not respond. Try again.'
  return message || 'The password could not be checked. Try again.'
}
