import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { saveInternalNote } from '../day-api.ts'

type Draft = {
  readonly input: string
  /** The note that was there when the typing began: another one is somebody else's. */
  readonly over: string
}

/** What was typed and is not saved, by appointment, for as long as the page lives. */
const drafts = new Map<string, Draft>()

/** What staff note of an appointment: saved on leaving the field; what could not be saved stays typed. */
export function useInternalNote(booking: DayBooking) {
  const queries = useQueryClient()
  const { id } = booking
  const saved = booking.internal_note ?? ''
  const [draft, setDraft] = useState(() => drafts.get(id))
  const storeDraft = (next: Draft | undefined) => {
    if (next) drafts.set(id, next)
    else drafts.delete(id)
    setDraft(next)
  }
  /** The field was left while a save was under way: what was typed meanwhile goes after it. */
  const goesNext = useRef(false)
  const saving: UseMutationResult<void, Error, Draft> = useMutation({
    mutationFn: ({ input, over }: Draft) => saveInternalNote(id, input.trim(), over),
    onSuccess: async (_, wanted) => {
      // Until then what was typed stands where it will.
      await refetchQueries(queries, 'bookings')
      // What was typed since is still to be saved.
      const now = drafts.get(id)
      const next =
        now && now.input !== wanted.input ? { ...now, over: wanted.input.trim() } : undefined
      storeDraft(next)
      if (next && goesNext.current) saving.mutate(next)
      goesNext.current = false
    },
    onError: (error, wanted) => {
      goesNext.current = false
      const theirs = otherNote(error)
      if (theirs !== undefined) storeDraft({ ...(drafts.get(id) ?? wanted), over: theirs })
      // Said aloud: whoever closed the panel does not see it at the field.
      toast({
        title: 'Could not save the note',
        description: whyNot(error),
        variant: 'destructive',
      })
      return refetchQueries(queries, 'bookings')
    },
  })
  const isChanged = draft !== undefined && draft.input.trim() !== saved
  const save = () => {
    if (saving.isPending) goesNext.current = true
    else if (draft && isChanged) saving.mutate(draft)
    else if (draft) storeDraft(undefined)
  }
  /** What was refused waits for the button: nothing of somebody else's goes by itself. */
  const saveOnLeave = () => {
    if (!saving.error) save()
  }
  useSaveOnUnmount(saveOnLeave)
  return {
    text: draft?.input ?? saved,
    type: (input: string) => storeDraft({ input, over: draft?.over ?? saved }),
    save,
    saveOnLeave,
    isChanged,
    isBusy: saving.isPending,
    error: saving.error ? whyNot(saving.error) : undefined,
  }
}

/** The note that stands where this one was to be; undefined when that is not why. */
function otherNote(error: Error | null): string | undefined {
  return isVersionConflict(error) ? error.detail : undefined
}

function whyNot(error: Error): string {
  const theirs = otherNote(error)
  if (theirs !== undefined) {
    const now = theirs ? `It now says “${theirs}”.` : 'It is empty now.'
    return `Someone else changed this note. ${now} Saving again replaces it.`
  }
  if (error instanceof DataError && error.code === '23514') {
    return 'A note can have up to 500 visible characters. Your text is still here.'
  }
  return 'Your text is still here. Please try again.'
}

/** Closing the panel leaves the field, too. */
function useSaveOnUnmount(saveOnLeave: () => void): void {
  const latest = useRef(saveOnLeave)
  useEffect(() => {
    latest.current = saveOnLeave
  })
  useEffect(() => () => latest.current(), [])
}
