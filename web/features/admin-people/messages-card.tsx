import { useQuery } from '@tanstack/react-query'
import type { KnownPerson } from '#contracts/people.ts'
import { useOfflineSince } from '#web/lib/use-offline-since.ts'
import { Switch } from '#web/ui/switch.tsx'
import { readReminders, setReminders } from './people-api.ts'
import { useChange } from './use-change.ts'
import { peopleKey } from './use-live-people.ts'

/** What is sent to somebody by itself. */
export function MessagesCard({ person }: { person: KnownPerson }) {
  const reminders = useQuery({
    queryKey: [peopleKey, 'reminders', person.id],
    queryFn: () => readReminders(person.id),
  })
  const setting = useChange((getsThem: boolean) => setReminders(person.id, getsThem))
  const isOffline = useOfflineSince() !== undefined
  if (reminders.data === undefined) return null
  return (
    <section className="card people-card">
      <h3>Messages</h3>
      <Switch
        checked={reminders.data}
        disabled={setting.isBusy || isOffline}
        onChange={({ target }) => void setting.run(target.checked)}
      >
        Reminders before a visit
      </Switch>
      {setting.failure && <p role="alert">{setting.failure}</p>}
    </section>
  )
}
