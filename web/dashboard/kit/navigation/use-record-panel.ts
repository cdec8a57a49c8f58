import { useState } from 'react'
import { useRecord } from '#web/dashboard/kit/records/use-record.ts'
import { type PanelName, usePanel } from './use-panel.ts'

type Row = { readonly id: string }

/**
 * A dialog about one record. The URL contains the record's id, so that a link opens the dialog and the browser's Back
 * button closes it. `read` reads the record by this id. `subject` is the start of the query key, for example
 * `['quotes']`.
 */
export function useRecordPanel<Record extends Row>(
  name: PanelName,
  subject: string,
  read: (id: string) => Promise<Record | undefined>,
) {
  const panel = usePanel()
  const [pressed, press] = useState<Record>()
  const id = panel.shown[name]
  const isPressed = pressed !== undefined && pressed.id === id
  const { data } = useRecord(subject, id, read, { isWanted: !isPressed })
  const linked = id === undefined ? undefined : (data ?? undefined)
  return {
    /** The record of the open dialog; undefined while the dialog is closed and when the record no longer exists. */
    record: isPressed ? pressed : linked,
    open: (record: Record) => {
      press(record)
      panel.open({ [name]: record.id })
    },
    close: () => panel.close(name),
  }
}
