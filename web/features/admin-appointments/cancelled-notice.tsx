import { Notice } from '#web/ui/notice.tsx'
import type { Cancellation } from './use-cancellation.ts'

/** What was just cancelled, and the way back; it stays until it is used or put away. */
export function CancelledNotice({ cancellation }: { cancellation: Cancellation }) {
  const { cancelled, undo, forget, isBusy } = cancellation
  return (
    <div role="status" className="cancelled-notice">
      {cancelled.length > 0 && (
        <Notice
          title={
            cancelled.length === 1
              ? '1 appointment cancelled.'
              : `${cancelled.length} appointments cancelled.`
          }
        >
          <button type="button" className="action" disabled={isBusy} onClick={undo}>
            Undo
          </button>{' '}
          <button type="button" className="action action-quiet" disabled={isBusy} onClick={forget}>
            Put away
          </button>
        </Notice>
      )}
    </div>
  )
}
