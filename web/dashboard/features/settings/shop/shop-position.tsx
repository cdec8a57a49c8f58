import { useState } from 'react'
import type { ShopForm } from '#domain/shop/shop-form.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { shopLabels } from './shop-row.ts'

type Props = {
  form: Form<ShopForm>
  values: ShopForm
  /** The unsaved fields. */
  changed: readonly (keyof ShopForm)[]
}

const addressFields = ['street', 'city', 'state', 'postalCode', 'country'] as const

/**
 * The field for the shop's coordinates on the map. When the owner saves a new street address, the server clears the
 * coordinates (docs/product.md 11.1). A notice announces this before and after the save. A button restores the old
 * position, for example if only the suite number changed.
 */
export function ShopPosition({ form, values, changed }: Props) {
  const cleared = useClearedPosition({ values, changed })
  const isChanged = changed.includes('position')
  const willBeCleared =
    !isChanged && values.position !== '' && addressFields.some((name) => changed.includes(name))
  return (
    <>
      <Input
        {...form.field('position')}
        label={shopLabels.position}
        inputMode="text"
        className="shop-position"
        hint="Where the map is centered: right-click the shop on a map and copy its two numbers. Without them the home page shows a drawing instead of the map."
      />
      <div className="shop-position-notice" role="status">
        {willBeCleared && (
          <Notice title="Saving the new address clears the position on the map.">
            After a change of the address, you can keep the position if the building is the same.
          </Notice>
        )}
        {cleared !== undefined && (
          <Notice title="The address changed, so the position on the map was cleared.">
            <p>The home page shows a drawing until you enter a position.</p>
            <Button compact onClick={() => form.change({ position: cleared })}>
              Keep {cleared}
            </Button>
          </Notice>
        )}
      </div>
    </>
  )
}

/**
 * The position that was cleared because the user saved a new street address on this page; undefined once the user sets
 * or types a position.
 */
function useClearedPosition({ values, changed }: Pick<Props, 'values' | 'changed'>) {
  const [last, setLast] = useState<string>()
  const isSaved = !changed.includes('position')
  if (isSaved && values.position !== '' && values.position !== last) setLast(values.position)
  return isSaved && values.position === '' ? last : undefined
}
