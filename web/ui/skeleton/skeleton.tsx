/**
 * A placeholder, drawn as a ruler, for loading content. A class in the page's CSS gives it the size of the content.
 * Hidden from screen readers.
 */
export function Skeleton({ className }: { className?: string }) {
  return <div className={className ? `skeleton ${className}` : 'skeleton'} aria-hidden="true" />
}
