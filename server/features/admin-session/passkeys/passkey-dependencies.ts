import type { Owner } from '#emails/setup/owner-notice.ts'
import type { LogInDependencies } from '../sign-in/log-in.ts'

/**
 * The dependencies of the routes of passkeys. The owner of the shop receives a notice about a passkey that may have
 * been copied.
 */
export type PasskeyDependencies = LogInDependencies & Owner
