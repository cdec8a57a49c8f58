import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { requestData } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { Select } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { toastConflict, toastFailure } from '../kit/save-errors.ts'

type CloseRules = {
  readonly rounds_cash: boolean
  readonly counts_cash_before_expected: boolean
  readonly close_print_format: string
  readonly version: number
}
type Change = Partial<Omit<CloseRules, 'version'>>

const columns = 'rounds_cash, counts_cash_before_expected, close_print_format, version'

async function readRules(): Promise<CloseRules> {
  const { data } = await requestData((service) =>
    service.from('booking_rules').select(columns).single(),
  )
  return data
}

/**
 * Saves a setting of cash payments or of the day close (the cash count at the end of a day), unless someone else
 * changed the settings in the meantime.
 * @returns whether the setting was saved.
 */
async function writeRules(change: Change, { version }: CloseRules): Promise<boolean> {
  const { data } = await requestData((service) =>
    service.from('booking_rules').update(change).eq('version', version).select(columns),
  )
  return data.length > 0
}

/**
 * The settings of cash payments and of the day close, the cash count at the end of a day. Each change is saved
 * immediately.
 */
export function CloseSettings() {
  const queries = useQueryClient()
  const rules = useQuery({ queryKey: ['settings', 'close'], queryFn: readRules })
  const saving = useMutation({
    mutationFn: async (change: Change) => rules.data && writeRules(change, rules.data),
    async onSuccess(isSaved) {
      if (isSaved) toast({ title: 'Saved' })
      else toastConflict('the rules')
      for (const key of ['settings', 'settings_history', 'day_close'])
        await refetchQueries(queries, key)
    },
    onError: toastFailure,
  })
  return (
    <section className="card settings-card">
      <h3>Cash and close of the day</h3>
      {rules.data && (
        <>
          <Switch
            checked={rules.data.rounds_cash}
            disabled={saving.isPending}
            onChange={({ target }) => saving.mutate({ rounds_cash: target.checked })}
          >
            Cash rounding
          </Switch>
          <Switch
            checked={rules.data.counts_cash_before_expected}
            disabled={saving.isPending}
            onChange={({ target }) =>
              saving.mutate({ counts_cash_before_expected: target.checked })
            }
          >
            Staff count the cash before they see the expected cash
          </Switch>
          <Select
            label="Print the day close on"
            value={rules.data.close_print_format}
            disabled={saving.isPending}
            onChange={({ target }) => saving.mutate({ close_print_format: target.value })}
          >
            <option value="receipt">80 mm</option>
            <option value="letter">Letter</option>
          </Select>
        </>
      )}
      {rules.isError && (
        <LoadFailure
          title="These settings could not be loaded."
          onRetry={() => void rules.refetch()}
        />
      )}
      <p className="hint">
        Cash rounding takes the sum due in cash rounded to five cents; invoice and sales tax stay
        exact. A blind count shows what the drawer should hold only after it was counted. The paper
        can be changed in each print view.
      </p>
    </section>
  )
}
