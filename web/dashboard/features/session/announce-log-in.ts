import { toast } from '#web/ui/toast/toast.ts'
import type { Result } from '#domain/result.ts'
import type { LoggedIn, LogInRefusal } from './session-api.ts'

/**
 * Shows a toast after a login. If the passkeys of the person work only at a former host of the site, the toast names
 * the host.
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

/** The former hosts of the passkeys as text: 'Passkeys created at former.example'. */
export const madeAt = (hosts: readonly string[]): string =>
  `Passkeys created at ${hosts.join(' and ')}`
