import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { AdminInvoice } from '#contracts/invoices/invoices.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { useLinkedRecord } from '#web/dashboard/kit/records/use-linked-record.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Select } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'
import { InvoiceBadge } from './invoice-badge.tsx'
import { InvoiceActivityView } from './invoice-activity.tsx'
import { type InvoiceActivity, listInvoiceActivity } from './invoice-activity-api.ts'
import { longestWindow, sentInvoicesQuery } from './sent-invoices-query.ts'
import { useHiddenInvoices } from './use-hidden-invoices.ts'

/** The selectable periods of the list, in days (docs/product.md 9.5). */
const windows = [1, 3, 7, 14, 30, 60, longestWindow]
const defaultWindow = 7

/** The invoices of the selected period with links to their payment pages and PDFs. */
export function SentInvoices() {
  const { invoice: linkedId = '' } = useSearch({ from: '/invoices' })
  const [days, setDays] = useState(linkedId ? longestWindow : defaultWindow)
  const [chosenId, setChosenId] = useState(linkedId)
  const { hidden, hide, showAll } = useHiddenInvoices()
  const list = useInvoices(days)
  const invoices = list.data?.filter(({ id }) => !hidden.has(id)) ?? []
  const activity = useInvoiceActivity(invoices.map(({ id }) => id))
  const remove = (invoice: AdminInvoice) => {
    hide(invoice.id)
    toast({
      title: 'Removed from list',
      description: `${invoice.number ?? 'The invoice'} is hidden in this browser only.`,
    })
  }
  return (
    <section className="card" aria-busy={list.isFetching}>
      <h2>Sent Invoices</h2>
      <div className="three-columns find-sent">
        <RecentInvoices invoices={invoices} chosenId={chosenId} onChoose={setChosenId} />
        <Window days={days} onChange={setDays} />
        <RefreshButton isBusy={list.isFetching} onRefresh={() => void list.refetch()} />
      </div>
      {list.data && invoices.length === 0 && (
        <EmptyState dashed title="No invoices in this window. A longer one may show more." />
      )}
      <ul className="sent-invoices">
        {invoices.map((invoice) => (
          <SentInvoice
            key={invoice.id}
            invoice={invoice}
            activity={activity}
            isChosen={invoice.id === chosenId}
            isLinked={invoice.id === linkedId}
            onRemove={() => remove(invoice)}
          />
        ))}
      </ul>
      <RemovedHint count={(list.data?.length ?? 0) - invoices.length} onShow={showAll} />
    </section>
  )
}

function RecentInvoices(props: {
  invoices: readonly AdminInvoice[]
  chosenId: string
  onChoose: (id: string) => void
}) {
  const { invoices, chosenId, onChoose } = props
  return (
    <Select label="Recent" value={chosenId} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{invoices.length > 0 ? 'Choose an invoice' : 'None'}</option>
      {invoices.map((invoice) => (
        <option key={invoice.id} value={invoice.id}>
          {[invoice.number, customerOf(invoice), invoice.status].filter(Boolean).join(', ')}
        </option>
      ))}
    </Select>
  )
}

function Window({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <Select label="Window" value={days} onChange={(event) => onChange(Number(event.target.value))}>
      {windows.map((window) => (
        <option key={window} value={window}>
          {window === 1 ? '1 day' : `${window} days`}
        </option>
      ))}
    </Select>
  )
}

function RefreshButton({ isBusy, onRefresh }: { isBusy: boolean; onRefresh: () => void }) {
  return (
    <Button compact disabled={isBusy} onClick={onRefresh}>
      <Icon name="refresh" />
      Refresh
    </Button>
  )
}

function RemovedHint({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <p className="hint">
      Remove hides an invoice from this view only. Nothing is deleted.{' '}
      {count > 0 && (
        <Button compact level="quiet" onClick={onShow}>
          Show {count} removed
        </Button>
      )}
    </p>
  )
}

/**
 * Reads the invoices. If the request fails, only logs the error, and the previous list remains visible (docs/product.md
 * 8.7).
 */
function useInvoices(days: number) {
  const list = useQuery({
    ...sentInvoicesQuery(days),
    placeholderData: keepPreviousData,
  })
  const { error } = list
  useEffect(() => {
    if (error) logQuietly('The invoice list could not be read', error)
  }, [error])
  return list
}

function customerOf(invoice: AdminInvoice): string {
  return invoice.customer_name || invoice.customer_email || ''
}

const noActivity: InvoiceActivity = { payments: [], emails: [], fromEstimates: new Set() }

/**
 * Reads the payments and emails of the listed invoices. If the request fails, the list shows no payments and emails.
 */
function useInvoiceActivity(ids: readonly string[]): InvoiceActivity {
  const activity = useQuery({
    queryKey: ['invoices', 'activity', ids],
    queryFn: () => listInvoiceActivity(ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  const { error } = activity
  useEffect(() => {
    if (error) logQuietly('Payments and emails of invoices could not be read', error)
  }, [error])
  return activity.data ?? noActivity
}

function InvoiceAmounts({ invoice }: { invoice: AdminInvoice }) {
  const { totalCents, balanceCents, currency } = invoice
  if (typeof totalCents !== 'number' || typeof balanceCents !== 'number' || !currency) return null
  return (
    <span className="sent-invoice-amounts">
      <span>Total {formatCents(totalCents, currency)}</span>
      <span>Balance {formatCents(balanceCents, currency)}</span>
    </span>
  )
}

function SentInvoice(props: {
  invoice: AdminInvoice
  activity: InvoiceActivity
  isChosen: boolean
  isLinked: boolean
  onRemove: () => void
}) {
  const { invoice, activity, isChosen, isLinked, onRemove } = props
  const linked = useLinkedRecord<HTMLLIElement>(isLinked)
  return (
    <li className={isChosen ? 'chosen-invoice' : undefined} {...linked}>
      <span>
        <b>{invoice.number ?? 'Without a number'}</b> <InvoiceBadge status={invoice.status} />
      </span>
      <Button
        compact
        level="quiet"
        aria-label={`Remove ${invoice.number ?? 'invoice'} from this list`}
        onClick={onRemove}
      >
        Remove
      </Button>
      <span className="muted">
        {[invoice.customer_name, invoice.customer_email].filter(Boolean).join(', ')}
      </span>
      <span className="sent-invoice-links">
        {invoice.hosted_invoice_url && (
          <a
            className="touch-link"
            href={invoice.hosted_invoice_url}
            target="_blank"
            rel="noreferrer"
          >
            Payment page<span className="visually-hidden"> of {invoice.number}</span>
          </a>
        )}
        {invoice.invoice_pdf && (
          <a className="touch-link" href={invoice.invoice_pdf} target="_blank" rel="noreferrer">
            PDF<span className="visually-hidden"> of {invoice.number}</span>
          </a>
        )}
      </span>
      <InvoiceAmounts invoice={invoice} />
      <InvoiceActivityView invoice={invoice} activity={activity} />
    </li>
  )
}
