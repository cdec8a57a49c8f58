import { Button } from '#web/ui/button/button.tsx'
type Props = {
  shown: number
  total: number
  isFetching: boolean
  onShowMore: () => void
}

/**
 * The row below a list that shows only its first entries. The row contains the number of shown entries and of all
 * entries, such as '20 of 73', and the button 'Show more'.
 */
export function ShowMore({ shown, total, isFetching, onShowMore }: Props) {
  if (total <= shown) return null
  return (
    <p className="show-more">
      <span className="count">
        {shown} of {total}
      </span>
      <Button compact disabled={isFetching} onClick={onShowMore}>
        Show more
      </Button>
    </p>
  )
}
