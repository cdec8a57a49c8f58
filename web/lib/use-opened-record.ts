import { useEffect } from 'react'
import { noteOpened, type OpenedRecord } from './opened-records.ts'
import { useShop } from './shop.ts'

/** Notes that a record is looked at, and says it in the title of the document, once it is read. */
export function useOpenedRecord(
  kind: OpenedRecord['kind'],
  id: string | undefined,
  title: string | undefined,
): void {
  const { name } = useShop()
  useEffect(() => {
    if (id === undefined) return
    noteOpened({ kind, id })
  }, [kind, id])
  useEffect(() => {
    if (title === undefined) return
    const before = document.title
    document.title = `${title} | ${name}`
    return () => {
      document.title = before
    }
  }, [title, name])
}
