import { useQueryClient } from '@tanstack/react-query'
import { refetchQueries } from '#web/lib/data/refetch.ts'

/** Reads again what shows the tax rates, after a change. */
export function useRefetchTaxRates() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      refetchQueries(queries, 'settings', 'tax-rates'),
      refetchQueries(queries, 'settings_history'),
    ])
}
