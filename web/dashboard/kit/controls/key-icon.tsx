/**
 * The icon of a passkey. The icon is not part of `Icon`, because the scripts of the start page have reached
 * their size limit.
 */
export function KeyIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="8" cy="16" r="4.5" />
      <path d="m11.2 12.8 8.3-8.3M15 9l3 3M18 6l2 2" />
    </svg>
  )
}
