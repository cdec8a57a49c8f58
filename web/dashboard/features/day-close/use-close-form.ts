import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { cashCommands, type DayClose } from '#contracts/payments/day-close.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import {
  checkDraft,
  closeFigures,
  closeInput,
  type CloseDraft,
  type DraftErrors,
  emptyDraft,
} from './close-draft.ts'
import { dayCloseKey } from './day-close-api.ts'

export type CloseForm = ReturnType<typeof useCloseForm>

/**
 * The state of the form that closes a day: the typed values, the amounts calculated from them, and the command that
 * closes the day.
 */
export function useCloseForm(
  day: DayClose,
  element: RefObject<HTMLElement | null>,
  onClosed: () => void,
) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<CloseDraft>(emptyDraft)
  const [errors, setErrors] = useState<DraftErrors>({})
  /**
   * The sum, in cents, of the day's cash payments, refunds and movements when staff began to count; undefined before
   * staff begin.
   */
  const [countedFrom, setCountedFrom] = useState<number>()
  const [isRevealed, setIsRevealed] = useState(!day.countsFirst)
  const [isConfirming, setIsConfirming] = useState(false)
  const closing = useMutation({
    mutationFn: () => runCommand(cashCommands.closeDay, closeInput(day, draft)),
    onSuccess: onClosed,
    onSettled: async () => {
      await refetchQueries(queries, dayCloseKey)
      await refetchQueries(queries, 'today')
      setIsConfirming(false)
    },
  })
  useUnsavedChanges(draft === emptyDraft || closing.isSuccess ? [] : ['The count of the drawer'])

  function change(changes: Partial<CloseDraft>) {
    setDraft((before) => ({ ...before, ...changes }))
    setErrors((before) => ({ ...before, ...mapValues(changes) }))
    closing.reset()
  }

  function count(denomination: number, typed: string) {
    setCountedFrom((before) => before ?? day.cash.changeCents)
    change({ counts: { ...draft.counts, [denomination]: typed.replace(/\D/g, '').slice(0, 5) } })
  }

  /**
   * Opens the dialog that confirms the close. If fields are invalid, shows the errors and focuses the first invalid
   * field instead.
   */
  function submit() {
    const found = checkDraft(day, draft)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    else setIsConfirming(true)
  }

  return {
    day,
    draft,
    errors,
    figures: closeFigures(day, draft),
    change,
    count,
    submit,
    isRevealed,
    reveal: () => setIsRevealed(true),
    seenChangeCents: countedFrom,
    keepCount: () => setCountedFrom(day.cash.changeCents),
    confirmation: { isOpen: isConfirming, close: () => setIsConfirming(false) },
    closing,
  }
}

const mapValues = (changes: Partial<CloseDraft>): DraftErrors =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, undefined]))

/** In a field of the cash count, Enter moves the focus to the next field, as Tab does. */
export function focusNextOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return
  event.preventDefault()
  const page = event.currentTarget.closest('.day-close-columns')
  const fields = [...(page?.querySelectorAll<HTMLElement>('input, select, .close-day') ?? [])]
  fields[fields.indexOf(event.currentTarget) + 1]?.focus()
}
