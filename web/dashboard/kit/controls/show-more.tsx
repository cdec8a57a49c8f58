type Props = {
  shown: number
  total: number
  isFetching: boolean
  onShowMore: () => void
}

/** Under a list that shows its first entries: how many of how many, and the way to the next. */
export function ShowMore({ shown, total, isFetching, onShowMore }: Props) {
  if (total <= shown) return null
  return (
    <p className="show-more">
      <span className="count">
        {shown} of {total}
      </span>
      <button type="button" className="action" disabled={isFetching} onClick={onShowMore}>
        Show more
      </button>
    </p>
  )
}
