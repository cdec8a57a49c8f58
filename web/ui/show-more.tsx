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
    <p className="more-row">
      <span className="n">
        {shown} of {total}
      </span>
      <button type="button" className="ab" disabled={isFetching} onClick={onShowMore}>
        Show more
      </button>
    </p>
  )
}
