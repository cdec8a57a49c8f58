import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'

type Props = {
  /**
   * Requests the path of the customer's visit page or estimate page from the server. With `renew`, the server first
   * invalidates all earlier links to this page.
   */
  readPath: (renew: boolean) => Promise<string>
  /**
   * The question that staff must confirm before the server creates a new link. The text names the older links that then
   * stop working.
   */
  question: string
  /** The text of the toast after the user copied the link. */
  copiedText: string
  isOffline: boolean
}

/**
 * Copies the private link to a customer's visit page or estimate page. The link is requested only when staff press a
 * button (docs/product.md 14.1).
 */
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
      <div className="button-group">
        <Button compact disabled={isBusy || isOffline} onClick={() => void copy(false)}>
          Copy
        </Button>
        <Button
          compact
          level="quiet"
          disabled={isBusy || isOffline}
          onClick={() => setIsConfirming(true)}
        >
          Create new link
        </Button>
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
    // The clipboard write begins before the server has returned the path: browsers allow a clipboard write only during
    // the button press.
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
        ? 'The browser did not allow copying. Press Copy again.'
        : 'Check your connection and try again.',
      variant: 'destructive',
    })
  }
}
