import type { Config } from '#server/config.ts'
import type { AuthContext } from '#packages/data-service/auth/auth-context.ts'
import type { AuthGateway } from './auth-gateway.ts'
import { embeddedAuthGateway } from './embedded-auth-gateway.ts'
import { hostedAuthGateway } from './hosted-auth-gateway.ts'

/** The hosted project's auth service where there is one, else ours. */
export function openAuthGateway({ hosted, anonKey }: Config, auth: AuthContext): AuthGateway {
  return hosted ? hostedAuthGateway({ ...hosted, anonKey }) : embeddedAuthGateway(auth)
}
