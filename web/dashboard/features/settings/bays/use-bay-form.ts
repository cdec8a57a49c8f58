import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { refetchQueries, refetchQuery } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { useSettingsForm } from '../kit/use-settings-form.ts'
import type { VersionedList } from '../kit/versioned-list.ts'
import {
  bayFormOf,
  type BayForm,
  bayLabels,
  bayLimits,
  bayOf,
  bayRefusals,
  checkBay,
  emptyBayForm,
} from './bay-form.ts'
import { allBays, type ReassignedBooking, saveBay, type SavedBay } from './bays-api.ts'

type Options = {
  /**
   * The version of the list of bays that the page read. The server refuses a save if the list now has another version.
   */
  readonly version: number
  readonly element: RefObject<HTMLFormElement | null>
  /** The notice about a version conflict, which gets the focus when it appears. */
  readonly notice: RefObject<HTMLDivElement | null>
  /**
   * Called before a bay with appointments becomes inactive: asks the user whether the appointments may move to other
   * bays.
   */
  readonly confirm: (moved: readonly ReassignedBooking[]) => Promise<boolean>
  readonly onEnd: () => void
}

/** The form of a bay. Without a bay, the form adds a new one. */
export function useBayForm(bay: SavedBay | undefined, options: Options) {
  const { version, element, notice, confirm, onEnd } = options
  const queries = useQueryClient()
  const name = bay?.name ?? 'New bay'
  return useSettingsForm<BayForm>({
    saved: { form: bay ? bayFormOf(bay) : emptyBayForm, version },
    write: async (form, seenVersion) => {
      const wanted = bayOf(bay?.id ?? null, form)
      const moved = await saveBay(wanted, seenVersion, { isPreview: true })
      if (moved.length > 0 && !(await confirm(moved))) return 'declined'
      await saveBay(wanted, seenVersion, { isPreview: false })
      return 'ended'
    },
    read: async () => {
      const list = await refetchQuery<VersionedList<SavedBay>>(queries, allBays.queryKey)
      const now = list.rows.find(({ id }) => id === bay?.id)
      return { form: now ? bayFormOf(now) : emptyBayForm, version: list.version }
    },
    element,
    notice,
    limits: bayLimits,
    check: checkBay,
    refusalOf: (reason) => bayRefusals[reason],
    label: (field) => `${name}: ${bayLabels[field]}`,
    onEnd: async ({ kind }) => {
      if (kind === 'saved') {
        toast({ title: 'Saved', description: `${name}. New appointments use these settings.` })
      }
      await Promise.all([
        refetchQueries(queries, 'settings', 'bays'),
        refetchQueries(queries, 'bookings'),
        refetchQueries(queries, 'settings_history'),
      ])
      onEnd()
    },
  })
}
