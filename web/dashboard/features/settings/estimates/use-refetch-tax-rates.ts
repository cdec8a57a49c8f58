import { useQueryClient } from '@tanstack/react-query'
import { refetchQueries } from '#web/lib/data/refetch.ts'

/** Returns a function that refetches the tax rates and the settings history. */
export function useRefetchTaxRates() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      refetchQueries(queries, 'settings', 'tax-rates'),
      refetchQueries(queries, 'settings_history'),
    ])
}
