import type { Owner } from '#emails/setup/owner-notice.ts'
import type { LogInDependencies } from '../sign-in/log-in.ts'

/**
 * The dependencies of the passkey routes. The owner of the shop receives a notice about a passkey that may have been
 * copied.
 */
export type PasskeyDependencies = LogInDependencies & Owner
