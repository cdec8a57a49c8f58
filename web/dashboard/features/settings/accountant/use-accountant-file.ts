import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  accountantFileEndpoint,
  accountantFileName,
  type AccountantFileKind,
} from '#contracts/accountant-files.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { fetchAsAdmin, saveFile } from '#web/lib/data/fetch-file.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

export type FileRequest = { readonly kind: AccountantFileKind; readonly range: DateRange }

/**
 * The result of a download: the name of the saved file, 'nothing' if the date range has no records, or 'stopped' if the
 * user cancelled the download.
 */
export type FileOutcome = { readonly saved: string } | 'nothing' | 'stopped'

/**
 * Downloads files for the accountant, one at a time, after step-up authentication. The browser saves a file only after
 * it has received the whole file.
 */
export function useAccountantFile() {
  const [bytes, setBytes] = useState(0)
  const stopper = useRef(new AbortController())
  const making = useMutation({
    mutationFn: async ({ kind, range }: FileRequest): Promise<FileOutcome> => {
      const { signal } = (stopper.current = new AbortController())
      setBytes(0)
      const file = await fetchAsAdmin(
        accountantFileEndpoint,
        { kind, ...range },
        { signal, onBytes: setBytes },
      )
      if (signal.aborted) return 'stopped'
      const blob = orThrow(file)
      if (blob.size === 0) return 'nothing'
      const saved = accountantFileName(kind, range)
      saveFile(blob, saved)
      return { saved }
    },
  })
  return { making, ...stepUpOf(making), bytes, stop: () => stopper.current.abort() }
}
