import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { retentionMessage } from '#web/dashboard/kit/records/retention-message.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { deleteQuote, unflagQuote } from './quotes-api.ts'

export type QuoteActions = {
  readonly release: (quote: QuoteRequest) => void
  /** Resolves to true if the quote request was deleted. */
  readonly remove: (quote: QuoteRequest) => Promise<boolean>
  /** The id of the quote request that is being changed or deleted; undefined if there is none. */
  readonly busyId: string | undefined
}

/**
 * Removes the spam flags of quote requests and deletes quote requests. Each action shows a toast and then refetches the
 * lists.
 */
export function useQuoteActions(): QuoteActions {
  const queries = useQueryClient()
  const reload = () => refetchQueries(queries, 'quotes')
  const releasing = useMutation({
    mutationFn: (quote: QuoteRequest) => unflagQuote(quote.id),
    onSuccess: () =>
      toast({
        title: 'Not Spam',
        description: 'The request is now in the list of ordinary requests.',
      }),
    onError: () =>
      toast({
        title: 'Error',
        description: 'The spam flag could not be removed. Please try again.',
        variant: 'destructive',
      }),
    onSettled: reload,
  })
  const deletion = useMutation({
    mutationFn: (quote: QuoteRequest) => deleteQuote(quote.id),
    onSuccess: () => toast({ title: 'Quote Deleted' }),
    onError: (error) =>
      toast({
        title: 'Delete Failed',
        description: retentionMessage(error) ?? 'Failed to delete quote request. Please try again.',
        variant: 'destructive',
      }),
    onSettled: reload,
  })
  const busy = [releasing, deletion].find(({ isPending }) => isPending)
  return {
    release: (quote) => releasing.mutate(quote),
    remove: (quote) =>
      deletion.mutateAsync(quote).then(
        () => true,
        () => false,
      ),
    busyId: busy?.variables?.id,
  }
}
