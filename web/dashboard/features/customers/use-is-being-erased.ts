import { useIsMutating } from '@tanstack/react-query'

/** The mutation key of a customer's erasure. */
export const customerErasure = (id: string) => ['customers', 'erase', id]

/**
 * Whether a request of this window is erasing the customer. During that request the page must not refetch the customer:
 * the live event about the erasure can arrive before the response.
 */
export function useIsBeingErased(id: string): boolean {
  return useIsMutating({ mutationKey: customerErasure(id) }) > 0
}
