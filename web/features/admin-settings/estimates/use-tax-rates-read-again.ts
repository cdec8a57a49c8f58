import { useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'

/** Reads again what shows the tax rates, after a change. */
export function useTaxRatesReadAgain() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      readAgain(queries, 'settings', 'tax-rates'),
      readAgain(queries, 'settings_history'),
    ])
}
