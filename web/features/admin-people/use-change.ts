import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DataRefusal } from '#web/lib/ask-data.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { peopleKey } from './use-live-people.ts'

export type Change<Wish> = {
  /** Resolves to whether it was done; what is shown of people and cars is then how it is now. */
  readonly run: (wish: Wish) => Promise<boolean>
  readonly isBusy: boolean
  readonly error: Error | null
  /** Why it was not done. */
  readonly failure: string | undefined
}

/** A change of people or cars that is asked of the database. */
export function useChange<Wish>(change: (wish: Wish) => Promise<unknown>): Change<Wish> {
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: change,
    // What was refused may be so because somebody else was here first: both want to see how it is.
    onSettled: () => readAgain(queries, peopleKey),
  })
  return {
    run: (wish) =>
      changing.mutateAsync(wish).then(
        () => true,
        () => false,
      ),
    isBusy: changing.isPending,
    error: changing.error,
    failure: changing.error ? failureWords(changing.error) : undefined,
  }
}

const words: Readonly<Record<string, string>> = {
  person_not_found: 'This person is not here any more.',
  booking_not_found: 'This appointment is not here any more.',
  car_not_found: 'This car is not here any more.',
  already_merged: 'This one was put together with another meanwhile.',
  changed_meanwhile:
    'Somebody changed this meanwhile. What you typed is kept: look at how it is now, then save again.',
  undo_too_late: 'It is more than 30 days ago: it cannot be taken apart any more.',
  later_merge_first: 'A later merge stands on this one: take that apart first.',
  invalid_email: 'This is no e-mail address.',
  vin_wrong: 'This VIN is not right: 17 characters, and the ninth must fit the others.',
  car_without_visit: 'No appointment says whose this car is.',
  car_unknown: 'Please enter a make, a model, a plate or a VIN.',
  long_ago: 'That is too long ago: please look at the year again.',
  in_the_future: 'An odometer is read, not foreseen: please choose today or earlier.',
}

function failureWords(error: Error): string {
  if (!(error instanceof DataRefusal))
    return 'It did not work. What you typed is kept: please try again.'
  if (error.status === 0) return 'The connection is gone. What you typed is kept: please try again.'
  if (error.code === '23514')
    return 'Something typed here is too long, or cannot be seen. Please look at it again.'
  return words[error.hint ?? ''] ?? 'It did not work. What you typed is kept: please try again.'
}
