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
  /**
   * The note that was saved when the user began to type. The server rejects the draft if another user has replaced this
   * note since.
   */
  readonly baseNote: string
}

/** The unsaved drafts of internal notes by booking id. A reload of the page deletes these drafts. */
const drafts = new Map<string, Draft>()

/**
 * State of a booking's internal note. The note is saved when the field loses the focus. If saving fails, the
 * draft is kept.
 */
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
  /**
   * Whether the note's field lost the focus while an earlier text was being saved. If so, the text typed since then is
   * saved after the earlier text.
   */
  const savesAgain = useRef(false)
  const saving: UseMutationResult<void, Error, Draft> = useMutation({
    mutationFn: ({ input, baseNote }: Draft) => saveInternalNote(id, input.trim(), baseNote),
    onSuccess: async (_, savedDraft) => {
      // Keeps the draft until the refetched booking has the saved note. Otherwise the field would briefly show the old
      // text.
      await refetchQueries(queries, 'bookings')
      // Text that the user types during the save is still a draft.
      const now = drafts.get(id)
      const next =
        now && now.input !== savedDraft.input
          ? { ...now, baseNote: savedDraft.input.trim() }
          : undefined
      storeDraft(next)
      if (next && savesAgain.current) saving.mutate(next)
      savesAgain.current = false
    },
    onError: (error, savedDraft) => {
      savesAgain.current = false
      const currentNote = otherNote(error)
      if (currentNote !== undefined)
        storeDraft({ ...(drafts.get(id) ?? savedDraft), baseNote: currentNote })
      // Shows a toast, because the user may have closed the panel and would not see an error at the field.
      toast({
        title: 'Could not save the note',
        description: saveErrorText(error),
        variant: 'destructive',
      })
      return refetchQueries(queries, 'bookings')
    },
  })
  const isChanged = draft !== undefined && draft.input.trim() !== saved
  const save = () => {
    if (saving.isPending) savesAgain.current = true
    else if (draft && isChanged) saving.mutate(draft)
    else if (draft) storeDraft(undefined)
  }
  /**
   * Saves the note when the user leaves the field. After a failed save, only the save button saves the note, so that
   * leaving the field does not overwrite the note of another user.
   */
  const saveOnLeave = () => {
    if (!saving.error) save()
  }
  useSaveOnUnmount(saveOnLeave)
  return {
    text: draft?.input ?? saved,
    type: (input: string) => storeDraft({ input, baseNote: draft?.baseNote ?? saved }),
    save,
    saveOnLeave,
    isChanged,
    isBusy: saving.isPending,
    error: saving.error ? saveErrorText(saving.error) : undefined,
  }
}

/** Returns the note that another user saved in the meantime; undefined if the save failed for another reason. */
function otherNote(error: Error | null): string | undefined {
  return isVersionConflict(error) ? error.detail : undefined
}

function saveErrorText(error: Error): string {
  const currentNote = otherNote(error)
  if (currentNote !== undefined) {
    const now = currentNote ? `The note now says “${currentNote}”.` : 'The note is now empty.'
    return `Someone else changed this note. ${now} Saving again replaces it.`
  }
  if (error instanceof DataError && error.code === '23514') {
    return 'A note can have up to 500 visible characters. Your text is still here.'
  }
  return 'Your text is still here. Please try again.'
}

/** Saves when the panel closes, because unmounting the field fires no blur event. */
function useSaveOnUnmount(saveOnLeave: () => void): void {
  const latest = useRef(saveOnLeave)
  useEffect(() => {
    latest.current = saveOnLeave
  })
  useEffect(() => () => latest.current(), [])
}
