import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import {
  changeReply,
  regenerateDraft,
  hasUnsavedReply,
  type QuoteReply,
  type ReplyChange,
  startReply,
} from '#domain/quotes/quote-reply.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useShop } from '#web/lib/shop.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { sendQuoteReply } from './quotes-api.ts'

/**
 * State of a reply to a quote request: its text, whether the user changed the text, and whether the reply is being
 * sent.
 */
export function useReply(quote: QuoteRequest, onDone: () => void) {
  const parties = { quote, shop: useShop() }
  const [reply, setReply] = useState(() => loadReplyDraft(quote.id) ?? startReply(parties))
  const saveReply = (next: QuoteReply) => {
    saveReplyDraft(quote.id, next)
    setReply(next)
  }
  const sending = useSending(quote, onDone)
  const isUnsaved = hasUnsavedReply(parties, reply)
  useLeaveWarning(isUnsaved)
  return {
    reply,
    isUnsaved,
    change: (change: ReplyChange) => saveReply(changeReply(parties, reply, change)),
    startOver: () => saveReply(regenerateDraft(parties, reply)),
    send: () => sending.mutate(reply),
    isSending: sending.isPending,
    /** The server's message if the last attempt to send the reply failed; undefined otherwise. */
    failure: sending.error instanceof DataError ? sending.error.message : undefined,
    discard: () => {
      clearReplyDraft(quote.id)
      onDone()
    },
  }
}

function useSending(quote: QuoteRequest, onSent: () => void) {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  return useMutation({
    mutationFn: (reply: QuoteReply) =>
      sendQuoteReply({
        quoteRequestId: quote.id,
        recipientEmail: quote.email,
        recipientName: quote.name,
        subject: reply.subject.trim(),
        originalDraft: reply.draft,
        polishedDraft: null,
        finalBody: reply.body,
        vehicleInfo: vehicleText(quote),
      }),
    onSuccess: () => {
      clearReplyDraft(quote.id)
      toast({ title: 'Email Sent', ...(!canSendEmail && { description: messageInOutbox }) })
      onSent()
    },
    onError: () =>
      toast({
        title: 'Send Failed',
        description: 'Failed to send email. Please try again.',
        variant: 'destructive',
      }),
    onSettled: () => refetchQueries(queries, 'quotes'),
  })
}

/** While a reply is unsaved, makes the browser ask the user to confirm before the page closes. */
function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isUnsaved])
}

/*
 * The drafts of replies that were neither sent nor discarded, by request id. A draft survives navigation, a new login,
 * and the closing of the dialog by the browser. The drafts contain customers' data, so they exist only in memory and
 * are lost when the page is reloaded.
 */
const drafts = new Map<string, QuoteReply>()

function saveReplyDraft(quoteId: string, reply: QuoteReply): void {
  drafts.set(quoteId, reply)
}

function loadReplyDraft(quoteId: string): QuoteReply | undefined {
  return drafts.get(quoteId)
}

function clearReplyDraft(quoteId: string): void {
  drafts.delete(quoteId)
}
