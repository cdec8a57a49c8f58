import { useState } from 'react'
import { askData } from '#web/lib/ask-data.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { toast } from '#web/ui/toast.ts'

/** The link of a visit's own page, asked for only when somebody wants this one (docs/product.md 14.1). */
export function PrivatePage({ bookingId, isOffline }: { bookingId: string; isOffline: boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const copy = async (renew: boolean) => {
    setIsBusy(true)
    await copyLink(bookingId, renew)
    setIsBusy(false)
    setIsAsking(false)
  }
  return (
    <section className="visit-part">
      <h3>
        <Icon name="lock" />
        Private page
      </h3>
      <div className="button-row">
        <button
          type="button"
          className="action"
          disabled={isBusy || isOffline}
          onClick={() => void copy(false)}
        >
          Copy
        </button>
        <button
          type="button"
          className="action action-quiet"
          disabled={isBusy || isOffline}
          onClick={() => setIsAsking(true)}
        >
          Make a new link
        </button>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Make a new link?"
        confirmLabel="Make a new link"
        cancelLabel="Keep"
        busyLabel="Making…"
        busy={isBusy}
        onConfirm={() => void copy(true)}
        onClose={() => setIsAsking(false)}
      >
        <p>Links that were sent before open nothing any more. The new one is copied.</p>
      </ConfirmDialog>
    </section>
  )
}

async function copyLink(bookingId: string, renew: boolean): Promise<void> {
  try {
    // At once, with what is still to come: browsers let nobody copy later than the press.
    const link = new ClipboardItem({ 'text/plain': readLink(bookingId, renew) })
    await navigator.clipboard.write([link])
    toast({ title: 'Link copied. Who has it can move or cancel this visit.' })
  } catch {
    toast({
      title: 'The link was not copied.',
      description: 'Check your connection and try again.',
      variant: 'destructive',
    })
  }
}

async function readLink(bookingId: string, renew: boolean): Promise<string> {
  const { data: path } = await askData((service) =>
    service.rpc('read_visit_link', { booking_id: bookingId, renew }),
  )
  return new URL(path, location.origin).href
}
