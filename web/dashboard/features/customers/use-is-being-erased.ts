import { useIsMutating } from '@tanstack/react-query'

/** The mutation key of a customer's erasure. */
export const customerErasure = (id: string) => ['customers', 'erase', id]

/**
 * Whether this window is waiting for the response to the erasure of the customer. Until then the page must not refetch
 * the customer, because the live event about the erasure can arrive before the response.
 */
export function useIsBeingErased(id: string): boolean {
  return useIsMutating({ mutationKey: customerErasure(id) }) > 0
}
