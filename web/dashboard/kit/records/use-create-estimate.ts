import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toast } from '#web/ui/toast/toast.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { estimateLink } from '#web/dashboard/kit/navigation/links.ts'
import { createEstimate, type EstimateSource } from './repair-records.ts'

/** Creates an estimate from a record and opens it. If the record already has an estimate, opens that estimate. */
export function useCreateEstimate() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (source: EstimateSource) => createEstimate(source),
    onSuccess: async (id) => {
      void navigate(estimateLink(id))
      await Promise.all(['estimates', 'quotes'].map((key) => refetchQueries(queries, key)))
    },
    onError: (error) =>
      toast({
        title: 'Could not create the estimate',
        description: createErrorMessage(error),
        variant: 'destructive',
      }),
  })
}

/** The reason, as a sentence, why a record such as an estimate could not be created. */
export function createErrorMessage(error: Error): string {
  const isResponse = error instanceof DataError && error.status > 0
  return isResponse ? error.message : 'The server did not respond. Please try again.'
}
