import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { requestData } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { toastConflict, toastFailure } from '../kit/save-errors.ts'

type Rule = { readonly invoice_lookup_requires_email: boolean; readonly version: number }

const columns = 'invoice_lookup_requires_email, version'

async function readRule(): Promise<Rule> {
  const { data } = await requestData((service) =>
    service.from('booking_rules').select(columns).single(),
  )
  return data
}

/**
 * Saves whether finding an invoice requires the email address, unless someone else changed the settings in the
 * meantime.
 * @returns whether the setting was saved.
 */
async function writeRule(requiresEmail: boolean, seen: Rule): Promise<boolean> {
  const { data } = await requestData((service) =>
    service
      .from('booking_rules')
      .update({ invoice_lookup_requires_email: requiresEmail })
      .eq('version', seen.version)
      .select(columns),
  )
  return data.length > 0
}

/**
 * The switch that defines whether visitors must type the customer's email address to find an invoice by its number. The
 * change is saved immediately.
 */
export function LookupSwitch() {
  const queries = useQueryClient()
  const rule = useQuery({ queryKey: ['settings', 'lookup'], queryFn: readRule })
  const saving = useMutation({
    mutationFn: async (requiresEmail: boolean) => rule.data && writeRule(requiresEmail, rule.data),
    onSuccess: async (isSaved, requiresEmail) => {
      if (isSaved) toast(requiresEmail ? requiredToast : notRequiredToast)
      else toastConflict('the rules')
      await Promise.all([
        refetchQueries(queries, 'settings'),
        refetchQueries(queries, 'settings_history'),
      ])
    },
    onError: toastFailure,
  })
  return (
    <section className="card settings-card">
      <h3>Invoice lookup</h3>
      {rule.data && (
        <Switch
          checked={saving.isPending ? saving.variables : rule.data.invoice_lookup_requires_email}
          disabled={saving.isPending}
          onChange={({ target }) => saving.mutate(target.checked)}
        >
          Require the email address
        </Switch>
      )}
      {rule.isError && (
        <LoadFailure
          title="This setting could not be loaded."
          onRetry={() => void rule.refetch()}
        />
      )}
      <p className="hint">
        Anyone with the number of an invoice can find it on Pay Invoice. When the switch is on, the
        customer must also enter the email address of the invoice.
      </p>
    </section>
  )
}

const requiredToast = {
  title: 'Saved',
  description: 'Customers find an invoice with its number and email address.',
}
const notRequiredToast = {
  title: 'Saved',
  description: 'Customers find an invoice with its number alone.',
}
