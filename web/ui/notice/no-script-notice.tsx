import { useShop } from '#web/lib/shop.ts'

/** The notice above a form that needs JavaScript. The notice explains how to contact the shop without JavaScript. */
export function NoScriptNotice() {
  const shop = useShop()
  return (
    <noscript>
      <p className="notice">
        <span>
          This form needs JavaScript. Without it, call{' '}
          <a href={shop.phone.href}>{shop.phone.display}</a> or write to{' '}
          <a href={`mailto:${shop.bookingEmail}`}>{shop.bookingEmail}</a>.
        </span>
      </p>
    </noscript>
  )
}
