/**
 * A ticked ruler in the size of the content that is loading; a class in the page's own CSS sets the size. Hidden from
 * screen readers.
 */
export function Skeleton({ className }: { className?: string }) {
  return <div className={className ? `skeleton ${className}` : 'skeleton'} aria-hidden="true" />
}
