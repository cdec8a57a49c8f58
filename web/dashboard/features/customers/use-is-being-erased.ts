import { useIsMutating } from '@tanstack/react-query'

/** Names the erasure of a person. */
export const customerErasure = (id: string) => ['customers', 'erase', id]

/** Whether this window erases somebody now: the news that they are gone may come before the answer to who asked for it. */
export function useIsBeingErased(id: string): boolean {
  return useIsMutating({ mutationKey: customerErasure(id) }) > 0
}
