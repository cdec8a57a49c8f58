import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CustomerRecord } from '#contracts/customers.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  firstChoice,
  isTypedOnline,
  mergedContact,
  mergedCounts,
  type MergeRow,
  mergeRows,
} from './merge-choices.ts'
import {
  markNotDuplicates,
  type MergedField,
  mergeCustomers,
  readCustomer,
  unmerge,
} from '#web/dashboard/kit/customers/customers-api.ts'
import { formatInstantMonth } from '#web/dashboard/kit/customers/customer-text.ts'
import { reportFailedUndo } from '#web/dashboard/kit/customers/report-failed-undo.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'
import { customersKey } from '#web/dashboard/kit/customers/use-live-customers.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'

type Props = {
  /** The record of the customer that remains after the merge. */
  customer: CustomerRecord
  otherId: string
  onClose: () => void
}

/** Compares two customers and merges their records. Only fields that differ require a choice. */
export function MergeDialog({ customer, otherId, onClose }: Props) {
  const other = useQuery({
    queryKey: [customersKey, 'person', otherId],
    queryFn: () => readCustomer(otherId),
  })
  const [chosen, setChosen] = useState<ReadonlySet<MergedField>>()
  const merging = useMerge(customer, onClose)
  const dismissing = useCustomerChange(() => markNotDuplicates(customer.id, otherId))
  const isOffline = useOfflineSince() !== undefined
  const isBusy = merging.isBusy || dismissing.isBusy
  // For the id of a merged record, the server returns the remaining customer. If that is this page's customer, the
  // merge has succeeded, even if the response to the merge was lost.
  const isMerged = other.data?.id === customer.id
  const duplicate = isMerged ? undefined : other.data
  const failure = isMerged ? undefined : (merging.failure ?? dismissing.failure)
  const fromDuplicate =
    chosen ?? (duplicate ? firstChoice(customer, duplicate) : new Set<MergedField>())
  const choose = (field: MergedField, isDuplicate: boolean) => {
    const next = new Set(fromDuplicate)
    if (isDuplicate) next.add(field)
    else next.delete(field)
    setChosen(next)
  }
  return (
    <Dialog
      open
      title="Merge these customers?"
      busy={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button
            compact
            level="quiet"
            className="customer-unmerge"
            disabled={isBusy || isOffline || isMerged}
            onClick={() => void dismissing.run(undefined).then((isDone) => isDone && onClose())}
          >
            Not a duplicate
          </Button>
          <FormActions
            label="Merge"
            busyLabel={merging.isBusy ? 'Merging…' : 'Merge'}
            tone="strong"
            isBusy={isBusy}
            disabled={isOffline || !duplicate}
            onCancel={onClose}
            onSubmit={() => duplicate && void merging.run({ duplicate, chosen: fromDuplicate })}
          />
        </>
      }
    >
      {other.isError && (
        <LoadFailure
          title="The other customer could not be loaded."
          onRetry={() => void other.refetch()}
        />
      )}
      {isMerged && (
        <Notice title="Customers merged.">You can undo the merge on the customer’s page.</Notice>
      )}
      {!other.data && !other.isError && <Skeleton />}
      {duplicate && (
        <MergePreview
          customer={customer}
          duplicate={duplicate}
          fromDuplicate={fromDuplicate}
          onChoose={choose}
        />
      )}
      {failure && (
        <Notice tone="bad" title="Could not merge the customers.">
          {failure}
        </Notice>
      )}
    </Dialog>
  )
}

/** Merges a duplicate into the customer and offers to undo the merge. */
function useMerge(customer: CustomerRecord, onClose: () => void) {
  const undoing = useCustomerChange(unmerge)
  return useCustomerChange(
    async ({ duplicate, chosen }: { duplicate: CustomerRecord; chosen: Iterable<MergedField> }) => {
      const merge = await mergeCustomers(customer, duplicate, [...chosen])
      // Closes the dialog before the toast appears, because staff cannot press the toast's Undo button behind an open
      // dialog.
      onClose()
      toast({
        title: 'Customers merged.',
        description: `${duplicate.name} was merged into ${customer.name}. You can undo the merge for 30 days.`,
        action: { label: 'Undo', run: () => void reportFailedUndo(undoing.run(merge)) },
      })
    },
  )
}

/**
 * Shows the fields in which the two customers differ, with a choice for each field, and previews the merged customer.
 */
function MergePreview(props: {
  customer: CustomerRecord
  duplicate: CustomerRecord
  fromDuplicate: ReadonlySet<MergedField>
  onChoose: (field: MergedField, isDuplicate: boolean) => void
}) {
  const { customer, duplicate, fromDuplicate } = props
  const rows = mergeRows(customer, duplicate)
  return (
    <>
      <Comparison {...props} rows={rows} />
      <div className="customer-result">
        <h3>After the merge</h3>
        <p>{mergedContact(rows, fromDuplicate)}</p>
        <p>
          {[mergedCounts(customer, duplicate), otherContactsText(rows)].filter(Boolean).join(' ')}
        </p>
      </div>
      <p className="muted">You can undo the merge for 30 days.</p>
    </>
  )
}

/**
 * Returns a sentence about the contact details that staff did not choose: the shop still stores these details, so a
 * search for such a detail finds the customer. Returns '' if staff left out no contact details.
 */
function otherContactsText(rows: readonly MergeRow[]): string {
  const kinds = rows.filter(
    ({ field, isSame, survivor, duplicate }) =>
      field !== 'name' && !isSame && survivor && duplicate,
  )
  if (kinds.length === 0) return ''
  const names = kinds.map(({ field }) => (field === 'phone' ? 'phone number' : 'email address'))
  return `The other ${names.join(' and ')} ${kinds.length === 1 ? 'stays' : 'stay'} on file.`
}

function Comparison(props: {
  customer: CustomerRecord
  duplicate: CustomerRecord
  rows: readonly MergeRow[]
  fromDuplicate: ReadonlySet<MergedField>
  onChoose: (field: MergedField, isDuplicate: boolean) => void
}) {
  const { customer, duplicate, rows, fromDuplicate, onChoose } = props
  return (
    <table className="customer-compare">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">About</span>
          </th>
          {[customer, duplicate].map(({ id, name, since }) => (
            <th key={id} scope="col">
              {name} <small>since {formatInstantMonth(since)}</small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.field}>
            <th scope="row">{row.label}</th>
            {row.isSame ? (
              <td colSpan={2} className="muted">
                {row.survivor ? `${row.survivor}, the same` : 'None'}
              </td>
            ) : (
              [false, true].map((isDuplicate) => (
                <td key={String(isDuplicate)}>
                  <label>
                    <input
                      type="radio"
                      name={`merge-${row.field}`}
                      checked={fromDuplicate.has(row.field) === isDuplicate}
                      onChange={() => onChoose(row.field, isDuplicate)}
                    />
                    {(isDuplicate ? row.duplicate : row.survivor) || 'None'}
                    {row.field === 'email' && isTypedOnline(isDuplicate ? duplicate : customer) && (
                      <small> typed online, not confirmed</small>
                    )}
                  </label>
                </td>
              ))
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
