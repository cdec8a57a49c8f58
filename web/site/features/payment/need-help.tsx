import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

export function NeedHelp() {
  const shop = useShop()
  return (
    <section className="notice need-help" aria-labelledby="need-help">
      <Icon name="phone" />
      <div className="help-contact">
        <h2 id="need-help">Need Help?</h2>
        <p>
          Call{' '}
          <a className="nowrap" href={shop.phone.href}>
            {shop.phone.display}
          </a>{' '}
          or write to <a href={`mailto:${shop.supportEmail}`}>{shop.supportEmail}</a>.
        </p>
      </div>
    </section>
  )
}
