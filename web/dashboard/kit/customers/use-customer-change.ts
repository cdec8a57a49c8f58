import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { customersKey } from './use-live-customers.ts'

export type CustomerChange<Input> = {
  /**
   * Saves the change and refetches all shown customers and vehicles. Resolves to true if the server saved the change.
   */
  readonly run: (input: Input) => Promise<boolean>
  readonly isBusy: boolean
  readonly error: Error | null
  /** The reason, as a sentence, why the change failed. */
  readonly failure: string | undefined
}

/**
 * Sends a change of a customer or vehicle to the server and then refetches the data of all shown
 * customers and vehicles.
 */
export function useCustomerChange<Input>(
  change: (input: Input) => Promise<unknown>,
): CustomerChange<Input> {
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: change,
    // Refetches the data after a failure, too, because another user may have changed the record.
    onSettled: () => refetchQueries(queries, customersKey),
  })
  return {
    run: (input) =>
      changing.mutateAsync(input).then(
        () => true,
        () => false,
      ),
    isBusy: changing.isPending,
    error: changing.error,
    failure: changing.error ? failureMessage(changing.error) : undefined,
  }
}

const messages: Readonly<Record<string, string>> = {
  customer_not_found: 'This customer no longer exists.',
  booking_not_found: 'This appointment no longer exists.',
  vehicle_not_found: 'This vehicle no longer exists.',
  already_merged: 'This record was already merged with another one.',
  version_conflict:
    'Someone else changed this record. Your changes are kept. Check the current version, then save again.',
  unmerge_expired: 'The merge is more than 30 days old and can no longer be undone.',
  later_merge_exists: 'A later merge of this record exists. Undo that merge first.',
  invalid_email: 'Enter a valid email address.',
  invalid_vin: 'This VIN is not valid. A VIN has 17 characters, and the ninth is a check digit.',
  vehicle_without_booking: 'This vehicle has no appointment that names another customer.',
  vehicle_incomplete: 'Enter a make, a model, a plate or a VIN.',
  date_too_old: 'This date is too long ago. Check the year.',
  date_in_future: 'Choose today or an earlier day.',
}

/** The reason, as a sentence, why a change failed. */
export function failureMessage(error: Error): string {
  if (!(error instanceof DataError))
    return 'Something went wrong. Your changes are kept. Try again.'
  if (error.status === 0) return 'You’re offline. Your changes are kept. Try again.'
  if (error.code === '23514')
    return 'An entry is too long or has invisible characters. Check your entries.'
  return messages[error.hint ?? ''] ?? 'Something went wrong. Your changes are kept. Try again.'
}
