import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import type { QuoteActions } from './use-quote-actions.ts'

type Props = { quote: QuoteRequest; actions: QuoteActions; onClose: () => void }

/** Confirms the permanent deletion of a quote request. The dialog remains open if the deletion fails. */
export function DeleteQuoteDialog({ quote, actions, onClose }: Props) {
  const remove = async () => {
    if (await actions.remove(quote)) onClose()
  }
  return (
    <ConfirmDialog
      open
      title="Delete Quote Request"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      busy={actions.busyId === quote.id}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>
        The quote request of <b>{quote.name}</b> ({vehicleText(quote)}) will be deleted. This action
        cannot be undone. All associated email logs are also deleted.
      </p>
    </ConfirmDialog>
  )
}
