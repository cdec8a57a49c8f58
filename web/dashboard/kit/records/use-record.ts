import { useQuery } from '@tanstack/react-query'

type Options<Record> = {
  /** Whether the hook may send the request; true by default. */
  readonly isWanted?: boolean
  /** Returns the interval, in milliseconds, at which the record is refetched; false if it is not refetched. */
  readonly refetchMs?: (record: Record | null | undefined) => number | false
}

/**
 * Reads a record by its id; `data` is null if the record does not exist. Without an id, sends no request. `subject` is
 * the start of the query key, for example `['quotes']`. All components that show the same record share one request.
 */
export function useRecord<Record>(
  subject: string,
  id: string | null | undefined,
  read: (id: string) => Promise<Record | undefined>,
  { isWanted = true, refetchMs = () => false }: Options<Record> = {},
) {
  return useQuery({
    queryKey: [subject, 'one', id],
    queryFn: async () => (id ? ((await read(id)) ?? null) : null),
    enabled: Boolean(id) && isWanted,
    refetchInterval: ({ state }) => refetchMs(state.data),
  })
}
