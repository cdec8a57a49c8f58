import { toast } from '#web/ui/toast/toast.ts'
import type { Result } from '#domain/result.ts'
import type { LoggedIn, LogInRefusal } from './session-api.ts'

/** Shows that a login succeeded, and whether the passkeys of the person belong to a former address of the site. */
export function announceLogIn(response: Result<LoggedIn, LogInRefusal>): void {
  const hosts = (response.ok && response.value.formerPasskeyHosts) || []
  toast({
    title: 'Login Successful',
    ...(hosts.length > 0 && {
      description: `${madeAt(hosts)} do not work at ${location.hostname}. Add a new one in your profile.`,
    }),
  })
}

/** 'Passkeys created at former.example'. */
export const madeAt = (hosts: readonly string[]): string =>
  `Passkeys created at ${hosts.join(' and ')}`
