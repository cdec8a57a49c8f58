import { useIsMutating } from '@tanstack/react-query'

/** The mutation key of a customer's erasure. */
export const customerErasure = (id: string) => ['customers', 'erase', id]

/**
 * Whether this window is erasing the customer now. The live event of the erasure can arrive before the response, and
 * must not make the page refetch the erased customer.
 */
export function useIsBeingErased(id: string): boolean {
  return useIsMutating({ mutationKey: customerErasure(id) }) > 0
}
