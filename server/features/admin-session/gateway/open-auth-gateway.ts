import type { Config } from '#server/config.ts'
import type { AuthContext } from '@local/data-service'
import type { PasswordQueues } from '../sign-in/password-queues.ts'
import type { AuthGateway } from './auth-gateway.ts'
import { embeddedAuthGateway } from './embedded-auth-gateway.ts'
import { hostedAuthGateway } from './hosted-auth-gateway.ts'

/**
 * Opens the auth service of the hosted Supabase project if one is configured, otherwise the embedded auth service,
 * whose password checks wait in `queues`.
 */
export function openAuthGateway(
  { hosted, anonKey }: Config,
  auth: AuthContext,
  queues?: PasswordQueues,
): AuthGateway {
  return hosted ? hostedAuthGateway({ ...hosted, anonKey }) : embeddedAuthGateway(auth, queues)
}
