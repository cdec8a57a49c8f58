import type { Owner } from '#emails/setup/owner-notice.ts'
import type { LogInDependencies } from '../sign-in/log-in.ts'

/**
 * The dependencies of the passkey routes, including the data for the email that notifies the owner when somebody may
 * have copied a passkey.
 */
export type PasskeyDependencies = LogInDependencies & Owner
