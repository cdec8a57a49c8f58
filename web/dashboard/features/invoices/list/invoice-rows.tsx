import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { invoiceAge, isPayable, pastDueText } from '#domain/invoices/invoice-age.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { invoicePageLink } from '#web/dashboard/kit/navigation/links.ts'
import { InvoiceStateBadge, TestBadge } from '#web/dashboard/kit/payments/invoice-state-badge.tsx'
import { useLinkedRecord } from '#web/dashboard/kit/records/use-linked-record.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  rows: readonly ListedInvoice[]
  /** Today's date at the shop, yyyy-MM-dd. */
  today: string
  /** The id of the invoice whose row is highlighted. */
  chosenId: string | undefined
  /** The id of the invoice in the URL. The row of this invoice gets the focus. */
  linkedId: string | undefined
  isOldestFirst: boolean
  onReverse: () => void
  onTakePayment: (invoice: ListedInvoice) => void
  onHandOver: (invoice: ListedInvoice) => void
}

/**
 * The rows of the invoice list: a grid in which the arrow keys move the focus. The P key opens the panel 'Take payment'
 * for the invoice of the focused row.
 */
export function InvoiceRows(props: Props) {
  const { rows, onTakePayment } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [focusedId, setFocusedId] = useState<string>()
  const tabStop = rows.some(({ id }) => id === focusedId) ? focusedId : rows[0]?.id
  const follow = (event: KeyboardEvent, invoice: ListedInvoice) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.toLowerCase() === 'p' && isPayable(invoice)) {
      event.preventDefault()
      return onTakePayment(invoice)
    }
    const next = keyedRow(event.key, rows.indexOf(invoice), rows.length)
    if (next === undefined) return
    event.preventDefault()
    body.current?.querySelectorAll<HTMLElement>('tr')[next]?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys move between rows
    <table className="invoice-rows" role="grid" aria-label="Invoices">
      <Heads isOldestFirst={props.isOldestFirst} onReverse={props.onReverse} />
      <tbody ref={body}>
        {rows.map((invoice) => (
          <InvoiceRow
            key={invoice.id}
            invoice={invoice}
            today={props.today}
            isChosen={invoice.id === props.chosenId}
            isLinked={invoice.id === props.linkedId}
            isTabStop={invoice.id === tabStop}
            onFocus={() => setFocusedId(invoice.id)}
            onKeyDown={(event) => follow(event, invoice)}
            onTakePayment={() => onTakePayment(invoice)}
            onHandOver={() => props.onHandOver(invoice)}
          />
        ))}
      </tbody>
    </table>
  )
}

function Heads({ isOldestFirst, onReverse }: { isOldestFirst: boolean; onReverse: () => void }) {
  return (
    <thead>
      <tr>
        <th>Number</th>
        <th>Customer and vehicle</th>
        <th className="invoice-total-cell">Total</th>
        <th className="invoice-balance">Balance</th>
        <th>Status</th>
        <th className="invoice-age" aria-sort={isOldestFirst ? 'descending' : 'ascending'}>
          <button type="button" onClick={onReverse}>
            Age
          </button>
        </th>
        <th className="invoice-action">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

type RowProps = {
  invoice: ListedInvoice
  today: string
  isChosen: boolean
  isLinked: boolean
  isTabStop: boolean
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onTakePayment: () => void
  onHandOver: () => void
}

function InvoiceRow(props: RowProps) {
  const { invoice, today, isChosen } = props
  const { ref } = useLinkedRecord<HTMLTableRowElement>(props.isLinked)
  const pastDue = pastDueText(invoice, today)
  const money = (cents: number) => formatCents(cents, invoice.currency)
  return (
    <tr
      ref={ref}
      tabIndex={props.isTabStop ? 0 : -1}
      aria-selected={isChosen}
      className={isChosen ? 'invoice-row-chosen' : undefined}
      onFocus={props.onFocus}
      onKeyDown={props.onKeyDown}
    >
      <td className="invoice-number">
        <Link {...invoicePageLink(invoice.id)}>{invoice.number ?? 'Without a number'}</Link>
      </td>
      <td className="invoice-whose">
        <b>{invoice.customerName || 'No name'}</b> <span>{invoice.vehicle}</span>
      </td>
      <td className="invoice-total-cell">{money(invoice.totalCents)}</td>
      <td className="invoice-balance">{money(invoice.balanceCents)}</td>
      <td className="invoice-state">
        <InvoiceStateBadge state={invoice.state} /> {invoice.isTest && <TestBadge />}
      </td>
      <td className="invoice-age">
        {invoiceAge(invoice, today)} {pastDue && <small>{pastDue}</small>}
      </td>
      <td className="invoice-action">{isPayable(invoice) && <RowActions {...props} />}</td>
    </tr>
  )
}

function RowActions({ invoice, onTakePayment, onHandOver }: RowProps) {
  const which = (
    <span className="visually-hidden"> of {invoice.number ?? invoice.customerName}</span>
  )
  return (
    <>
      <Button
        compact
        square
        level="quiet"
        title="Hand over…"
        onClick={({ currentTarget }) => {
          // Focus the row before the panel 'Hand over' opens: the open panel hides the pressed button, and the focus
          // returns to the row when the panel closes.
          currentTarget.closest('tr')?.focus()
          onHandOver()
        }}
      >
        <Icon name="qr" />
        <span className="visually-hidden">Hand over…</span>
        {which}
      </Button>
      <Button compact aria-keyshortcuts="p" onClick={onTakePayment}>
        Take payment
        {which}
      </Button>
    </>
  )
}

/**
 * The index of the row that an arrow key, Home or End focuses from row `index` of `count` rows; undefined for other
 * keys.
 */
function keyedRow(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
