import { Icon } from '#web/ui/icon/icon.tsx'
import './book-button.css'

/** Opens the phone booking panel. The button is orange until it is pressed; then the panel has the orange button. */
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
