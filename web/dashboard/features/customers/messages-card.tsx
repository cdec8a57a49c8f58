import type { CustomerRecord } from '#contracts/customers.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { setReminders } from '#web/dashboard/kit/customers/customers-api.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'

/** A card with a switch for the automatic emails to a customer. */
export function MessagesCard({ customer }: { customer: CustomerRecord }) {
  const setting = useCustomerChange((getsThem: boolean) => setReminders(customer.id, getsThem))
  const isOffline = useOfflineSince() !== undefined
  return (
    <section className="card customer-card">
      <h3>Messages</h3>
      <Switch
        checked={customer.getsReminders}
        disabled={setting.isBusy || isOffline}
        onChange={({ target }) => void setting.run(target.checked)}
      >
        Reminders before an appointment
      </Switch>
      {setting.failure && <p role="alert">{setting.failure}</p>}
    </section>
  )
}
