import { useState } from 'react'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { isEditedByHand, isSendable, replyLimits } from '#domain/quotes/quote-reply.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'
import { ConfirmDialog, Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useReply } from './use-reply.ts'

/**
 * Replies to a quote request by email. If the user closes the dialog with an unsent text, a second dialog first asks
 * the user.
 */
export function ReplyDialog({ quote, onClose }: { quote: QuoteRequest; onClose: () => void }) {
  const replyState = useReply(quote, onClose)
  const [isConfirming, setIsConfirming] = useState(false)
  const close = () => (replyState.isUnsaved ? setIsConfirming(true) : replyState.discard())
  return (
    <>
      <Dialog
        open
        title="Reply to Quote Request"
        busy={replyState.isSending}
        onClose={close}
        footer={
          <>
            <Button compact disabled={replyState.isSending} onClick={close}>
              Cancel
            </Button>
            <Button
              compact
              level="primary"
              disabled={replyState.isSending || !isSendable(replyState.reply)}
              onClick={replyState.send}
            >
              <Icon name="mail" />
              {replyState.isSending ? 'Sending...' : 'Send Email'}
            </Button>
          </>
        }
      >
        <p className="muted quote-asked">
          <b>{quote.name}</b>, {vehicleText(quote)}. {quote.description}
        </p>
        <ReplyFields quote={quote} replyState={replyState} />
        {replyState.failure !== undefined && !replyState.isSending && (
          <Notice tone="bad" title={replyState.failure || 'The email could not be sent.'}>
            Your text is still here.
          </Notice>
        )}
      </Dialog>
      <ConfirmDialog
        open={isConfirming}
        title="Discard this reply?"
        confirmLabel="Discard"
        cancelLabel="Keep writing"
        onClose={() => setIsConfirming(false)}
        onConfirm={replyState.discard}
      >
        <p>
          Your reply to <b>{quote.name}</b> has not been sent.
        </p>
      </ConfirmDialog>
    </>
  )
}

function ReplyFields(props: { quote: QuoteRequest; replyState: ReturnType<typeof useReply> }) {
  const { quote, replyState } = props
  const { reply, change, isSending } = replyState
  return (
    <>
      <div className="two-columns reply-fields">
        <Input
          label="Subject"
          className="full-row"
          maxLength={replyLimits.subject}
          readOnly={isSending}
          value={reply.subject}
          onChange={(event) => change({ subject: event.target.value })}
        />
        <Input
          label="Estimated Price"
          placeholder="$240 – $310"
          maxLength={replyLimits.price}
          readOnly={isSending}
          value={reply.price}
          onChange={(event) => change({ price: event.target.value })}
        />
        <Input
          label="Additional Notes"
          maxLength={replyLimits.notes}
          readOnly={isSending}
          value={reply.notes}
          onChange={(event) => change({ notes: event.target.value })}
        />
      </div>
      <TextArea
        label="Email Content"
        className="reply-text"
        maxLength={replyLimits.body}
        readOnly={isSending}
        value={reply.body}
        onChange={(event) => change({ body: event.target.value })}
        hint={
          <>
            Sent to {quote.email}. The email also says that the quote is preliminary and gives the
            shop’s address and phone number.
          </>
        }
      />
      {isEditedByHand(reply) && (
        <p className="start-over">
          <span className="muted">You edited this email. Price and notes no longer update it.</span>{' '}
          <Button compact level="quiet" disabled={isSending} onClick={replyState.startOver}>
            <Icon name="undo" />
            Restore generated email
          </Button>
        </p>
      )}
    </>
  )
}
