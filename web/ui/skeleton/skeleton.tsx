/** A ticked strip in the size of what comes; the size is a class of the page's own CSS. Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={className ? `skeleton ${className}` : 'skeleton'} aria-hidden="true" />
}
