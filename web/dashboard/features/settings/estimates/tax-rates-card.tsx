import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { formatRate } from '#domain/money/tax-rate.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { toastFailure } from '../kit/save-errors.ts'
import { pollMs } from '../kit/poll-ms.ts'
import { TaxRateForm } from './tax-rate-form.tsx'
import { listTaxRates, removeTaxRate, type TaxRate } from './tax-rates-api.ts'
import { useRefetchTaxRates } from './use-refetch-tax-rates.ts'

/**
 * Lists the sales tax rates with their first days. Each change is saved immediately. Existing estimates and invoices
 * keep their tax rate.
 */
export function TaxRatesCard() {
  const rates = useQuery({
    queryKey: ['settings', 'tax-rates'],
    queryFn: listTaxRates,
    refetchInterval: pollMs,
  })
  const [removed, setRemoved] = useState<TaxRate>()
  const readRatesAgain = useRefetchTaxRates()
  const removing = useMutation({
    mutationFn: removeTaxRate,
    onSuccess: async () => {
      await readRatesAgain()
      toast({ title: 'Removed', description: 'Existing estimates keep this rate.' })
      setRemoved(undefined)
    },
    onError: toastFailure,
  })
  return (
    <section className="card settings-card">
      <h3>Sales tax</h3>
      <p className="hint">
        An estimate keeps the rate of the day on which it was created. Ask your accountant which
        rate applies and to what.
      </p>
      {rates.isError && (
        <LoadFailure
          title="The tax rates could not be loaded."
          onRetry={() => void rates.refetch()}
        />
      )}
      {!rates.data && !rates.isError && <Skeleton />}
      {rates.data?.length === 0 && (
        <EmptyState
          dashed
          title="No tax rate yet. Estimates contain no sales tax until you add one."
        />
      )}
      {rates.data && <RateList rates={rates.data} onRemove={setRemoved} />}
      {rates.data && <TaxRateForm />}
      <ConfirmDialog
        open={removed !== undefined}
        title="Remove this tax rate?"
        confirmLabel="Remove"
        busy={removing.isPending}
        busyLabel="Removing…"
        onClose={() => setRemoved(undefined)}
        onConfirm={() => removed && removing.mutate(removed)}
      >
        {removed && (
          <p>
            {formatRate(removed.rate)}% from {formatDate(removed.from)}. New estimates use the
            previous rate. Existing estimates keep this rate.
          </p>
        )}
      </ConfirmDialog>
    </section>
  )
}

type ListProps = { rates: readonly TaxRate[]; onRemove: (rate: TaxRate) => void }

function RateList({ rates, onRemove }: ListProps) {
  const today = useShopToday()
  const isOffline = useOfflineSince() !== undefined
  // The rates are sorted latest first, so the first rate that has started is the current rate.
  const current = rates.find(({ from }) => from <= today)
  return (
    <ul className="setting-list" aria-label="Tax rates">
      {rates.map((rate) => (
        <li key={rate.from}>
          <b>{formatRate(rate.rate)}%</b>
          <span>
            from {formatDate(rate.from)}
            {rate === current && <span className="muted">, now</span>}
            {rate.from > today && <span className="muted">, to come</span>}
          </span>
          <Button
            compact
            level="quiet"
            square
            disabled={isOffline}
            aria-label={`Remove ${formatRate(rate.rate)}% from ${formatDate(rate.from)}`}
            onClick={() => onRemove(rate)}
          >
            <Icon name="close" />
          </Button>
        </li>
      ))}
    </ul>
  )
}
