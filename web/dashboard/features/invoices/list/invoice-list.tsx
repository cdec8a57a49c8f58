import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type InvoiceFilter, invoiceFilters } from '#domain/invoices/invoice-filters.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { useTakePayment } from '#web/dashboard/kit/payments/use-take-payment.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'
import { Button } from '#web/ui/button/button.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { emptyTexts, filterLabel, footText } from './invoice-filter-text.ts'
import { InvoiceRows } from './invoice-rows.tsx'
import { InvoiceSums } from './invoice-sums.tsx'
import { hasAnyInvoice, type InvoiceList as Listed } from './list-api.ts'
import { useInvoiceList } from './use-invoice-list.ts'
import { useLinkedInvoice } from './use-linked-invoice.ts'
import './invoice-list.css'

const HandOverDialog = lazyComponent(
  async () => (await import('../detail/dialogs/hand-over-dialog.tsx')).HandOverDialog,
  null,
)

/** The invoices with their balances, which show who owes the shop money (docs/product.md 17.8). */
export function InvoiceList({ onNewInvoice }: { onNewInvoice: () => void }) {
  const shown = useInvoiceList()
  const { list, filter } = shown
  const titleId = useId()
  const [handedOverId, handOver] = useState<string>()
  useShortcut('i', onNewInvoice)
  return (
    <section
      className={`card invoice-list${handedOverId === undefined ? '' : ' invoice-list-beside'}`}
      aria-labelledby={titleId}
      aria-busy={list.isFetching}
    >
      <header>
        <h2 id={titleId}>Invoices</h2>
        <Filters filter={filter} list={list.data} onChoose={shown.choose} />
        <Button compact aria-keyshortcuts="i" onClick={onNewInvoice}>
          <Icon name="plus" />
          New invoice
        </Button>
      </header>
      <InvoiceSums list={list.data} />
      {list.isError && (
        <div className="invoice-list-failure">
          <LoadFailure
            title="The invoices could not be loaded."
            readAt={list.data && new Date(list.dataUpdatedAt)}
            onRetry={() => void list.refetch()}
          />
        </div>
      )}
      {list.isPending && <LoadingRows />}
      {list.data && (
        <Body shown={shown} list={list.data} handedOverId={handedOverId} onHandOver={handOver} />
      )}
    </section>
  )
}

function Filters(props: {
  filter: InvoiceFilter
  list: Listed | undefined
  onChoose: (filter: InvoiceFilter) => void
}) {
  const { filter, list, onChoose } = props
  return (
    <>
      <div className="toggle-buttons" role="group" aria-label="Status">
        {invoiceFilters.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === filter}
            onClick={() => onChoose(each)}
          >
            {filterLabel(each, list)}
          </button>
        ))}
      </div>
      <select
        className="input"
        aria-label="Status"
        value={filter}
        onChange={({ target }) => onChoose(target.value as InvoiceFilter)}
      >
        {invoiceFilters.map((each) => (
          <option key={each} value={each}>
            {filterLabel(each, list)}
          </option>
        ))}
      </select>
    </>
  )
}

type BodyProps = {
  shown: ReturnType<typeof useInvoiceList>
  list: Listed
  /** The invoice for which the panel 'Hand over' is open. */
  handedOverId: string | undefined
  onHandOver: (id: string | undefined) => void
}

function Body({ shown, list, handedOverId, onHandOver }: BodyProps) {
  const { filter, isOldestFirst } = shown
  const panel = usePanel()
  const takePayment = useTakePayment()
  const linked = useLinkedInvoice(list.invoices)
  const rows = linked.unlisted ? [linked.unlisted, ...shown.rows] : shown.rows
  if (rows.length === 0) return <NoRows filter={filter} />
  const handedOver = rows.find(({ id }) => id === handedOverId)
  return (
    <>
      <InvoiceRows
        rows={rows}
        today={list.today}
        chosenId={panel.shown.pay ?? handedOver?.id ?? linked.id}
        linkedId={linked.isOlder ? linked.id : undefined}
        isOldestFirst={isOldestFirst}
        onReverse={shown.reverse}
        onTakePayment={takePayment}
        onHandOver={({ id }) => onHandOver(id)}
      />
      <footer>
        <span>{footText(filter, rows.length, isOldestFirst)}</span>
        {list.hasMore && (
          <Button compact disabled={shown.list.isFetching} onClick={shown.showMore}>
            Show more
          </Button>
        )}
        {filter !== 'all' && (
          <Button compact level="quiet" onClick={() => shown.choose('all')}>
            All invoices
          </Button>
        )}
      </footer>
      {handedOver && <HandOverDialog invoice={handedOver} onClose={() => onHandOver(undefined)} />}
    </>
  )
}

function NoRows({ filter }: { filter: InvoiceFilter }) {
  const any = useQuery({ queryKey: ['invoices', 'any'], queryFn: hasAnyInvoice })
  return (
    <div className="invoice-list-empty">
      <EmptyState dashed title={emptyTexts[any.data === false ? 'all' : filter]} />
    </div>
  )
}

function LoadingRows() {
  return (
    <div className="invoice-list-loading" aria-hidden="true">
      {[100, 96, 92, 88, 84, 80].map((width) => (
        <Skeleton key={width} />
      ))}
    </div>
  )
}
