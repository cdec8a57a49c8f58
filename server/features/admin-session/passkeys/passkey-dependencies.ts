import type { Owner } from '#emails/setup/owner-notice.ts'
import type { LogInDependencies } from '../sign-in/log-in.ts'

/**
 * The dependencies of the passkey routes, including the owner of the shop, who is notified when a passkey may have been
 * copied.
 */
export type PasskeyDependencies = LogInDependencies & Owner
