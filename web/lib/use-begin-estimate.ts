import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '#web/ui/toast.ts'
import { DataRefusal } from './ask-data.ts'
import { readAgain } from './read-again.ts'
import { estimateLink } from './record-links.ts'
import { createEstimate, type EstimateSource } from './thread.ts'
import { showSearch } from './use-search-params.ts'

/** Begins an estimate from a record, or from nothing, and goes there; what was begun before is found again. */
export function useBeginEstimate() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (source: EstimateSource) => createEstimate(source),
    onSuccess: async (id) => {
      showSearch(estimateLink(id))
      await Promise.all(['estimates', 'quotes'].map((key) => readAgain(queries, key)))
    },
    onError: (error) =>
      toast({
        title: 'Could not start the estimate',
        description: whyNotStarted(error),
        variant: 'destructive',
      }),
  })
}

/** Why a document was not started, in a sentence. */
export function whyNotStarted(error: Error): string {
  const isAnswer = error instanceof DataRefusal && error.status > 0
  return isAnswer ? error.message : 'The server did not respond. Please try again.'
}
