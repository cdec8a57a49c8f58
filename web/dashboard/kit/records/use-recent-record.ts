import { useEffect } from 'react'
import { addRecentRecord, type RecentRecord } from './recent-records.ts'
import { useShop } from '#web/lib/shop.ts'

/**
 * Adds the record of the page to the recently opened records, and, after the record has loaded, shows its title in the
 * browser tab.
 */
export function useRecentRecord(
  kind: RecentRecord['kind'],
  id: string | undefined,
  title: string | undefined,
): void {
  const { name } = useShop()
  useEffect(() => {
    if (id === undefined) return
    addRecentRecord({ kind, id })
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
