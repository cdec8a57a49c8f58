import { useQuery } from '@tanstack/react-query'
import { depositKey, readDeposit } from './deposit-api.ts'

/** Reads the deposit of an estimate. All parts of a page that show the deposit share one request. */
export const useDeposit = (estimateId: string) =>
  useQuery({ queryKey: depositKey(estimateId), queryFn: () => readDeposit(estimateId) })
