import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'

type Props = {
  /** Reads the path of the page; with `renew` after ending all older links. */
  readPath: (renew: boolean) => Promise<string>
  /** What a new link ends, asked before it is made. */
  question: string
  /** Said once a link was copied. */
  copiedText: string
  isOffline: boolean
}

/** The link of a customer's page, read only when somebody asks for it (docs/product.md 14.1). */
export function PrivateLink({ readPath, question, copiedText, isOffline }: Props) {
  const [isConfirming, setIsConfirming] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const copy = async (renew: boolean) => {
    setIsBusy(true)
    await copyLink(readPath(renew), copiedText)
    setIsBusy(false)
    setIsConfirming(false)
  }
  return (
    <>
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
          onClick={() => setIsConfirming(true)}
        >
          Create new link
        </button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        title="Create new link?"
        confirmLabel="Create new link"
        busyLabel="Creating…"
        busy={isBusy}
        onConfirm={() => void copy(true)}
        onClose={() => setIsConfirming(false)}
      >
        <p>{question}</p>
      </ConfirmDialog>
    </>
  )
}

async function copyLink(path: Promise<string>, copiedText: string): Promise<void> {
  const url = path.then((found) => new URL(found, location.origin).href)
  try {
    // The write starts before the path is read: a browser allows it only during the press.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': url })])
    toast({ title: copiedText })
  } catch {
    const isRead = await url.then(
      () => true,
      () => false,
    )
    toast({
      title: 'Could not copy the link.',
      description: isRead
        ? 'The browser did not allow it. Press Copy again.'
        : 'Check your connection and try again.',
      variant: 'destructive',
    })
  }
}
