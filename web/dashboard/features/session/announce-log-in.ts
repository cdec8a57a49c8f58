import { toast } from '#web/ui/toast/toast.ts'
import type { Result } from '#domain/result.ts'
import type { LoggedIn, LogInRefusal } from './session-api.ts'

/**
 * Shows a toast after a login. A passkey works only at the host name at which it was created: if all passkeys of the
 * user belong to former host names of the site, the toast names these hosts.
 */
export function announceLogIn(response: Result<LoggedIn, LogInRefusal>): void {
  const hosts = (response.ok && response.value.formerPasskeyHosts) || []
  toast({
    title: 'Login Successful',
    ...(hosts.length > 0 && {
      description: `${madeAt(hosts)} do not work at ${location.hostname}. Add a new one in your profile.`,
    }),
  })
}

/** The former host names at which the passkeys were created, as text: 'Passkeys created at former.example'. */
export const madeAt = (hosts: readonly string[]): string =>
  `Passkeys created at ${hosts.join(' and ')}`
