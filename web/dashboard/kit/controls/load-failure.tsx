import type { ReactNode } from 'react'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'

type Props = {
  title: string
  onRetry: () => void
  /**
   * The time at which the page loaded the older data that it still shows. If set, a text with this time replaces
   * `children`.
   */
  readAt?: Date | undefined
  children?: ReactNode
}

/** The notice that the page could not load or refresh its data, with a button that requests the data again. */
export function LoadFailure({ title, onRetry, readAt, children }: Props) {
  const text = readAt ? `Showing data from ${formatShopTime(readAt)}.` : children
  return (
    <Notice tone="bad" title={title}>
      {text}
      {text && ' '}
      <Button compact onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  )
}
