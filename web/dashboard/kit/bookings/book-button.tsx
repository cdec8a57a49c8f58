import { Icon } from '#web/ui/icon/icon.tsx'
import './book-button.css'

/** Opens the panel for who is calling. Orange until it was pressed: then the next step is in the panel. */
export function BookButton({ isBooking, onBook }: { isBooking: boolean; onBook: () => void }) {
  return (
    <button
      type="button"
      className={isBooking ? 'action book-button' : 'action action-primary book-button'}
      aria-keyshortcuts="n"
      onClick={onBook}
    >
      <Icon name="plus" />
      Book
      <kbd aria-hidden="true">N</kbd>
    </button>
  )
}
