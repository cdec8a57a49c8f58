import type { ErasurePreview } from '#contracts/customers.ts'
import { formatCount } from '#web/dashboard/kit/customers/customer-text.ts'
import { shortenAround } from './shorten-around.ts'

type Props = {
  readonly others: ErasurePreview['others']
  /** The keys of the texts that staff excluded from the erasure. The erasure does not change these texts. */
  readonly excludedKeys: ReadonlySet<string>
  readonly onExclude: (key: string, isExcluded: boolean) => void
}

/**
 * Lists texts in other records that contain the customer's data and that the erasure would change. Staff can exclude
 * each text from the erasure.
 */
export function OtherTexts({ others, excludedKeys, onExclude }: Props) {
  const unlisted = others.count - others.texts.length
  return (
    <fieldset className="erase-texts">
      <legend>
        {formatCount(others.count, 'text of another record', 'texts of other records')}{' '}
        {others.count === 1 ? 'changes' : 'change'}
      </legend>
      <p>
        Each struck-through email address, phone number, plate or VIN is replaced permanently. Names
        in other records stay. Uncheck a text to leave it as it is.
        {unlisted > 0 && ` ${formatCount(unlisted, 'more text changes', 'more texts change')} too.`}
      </p>
      <ul>
        {others.texts.map(({ key, label, about, pieces }) => (
          <li key={key}>
            <label>
              <input
                type="checkbox"
                checked={!excludedKeys.has(key)}
                onChange={({ target }) => onExclude(key, !target.checked)}
              />
              <span>
                <b>{label}</b> {about && <small>{about}</small>}{' '}
                <Quoted pieces={pieces} isExcluded={excludedKeys.has(key)} />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/**
 * Quotes a text that the erasure changes. In `pieces`, the second, fourth and every further even piece contains
 * customer data that the erasure replaces.
 */
function Quoted({ pieces, isExcluded }: { pieces: readonly string[]; isExcluded: boolean }) {
  return (
    <q>
      {shortenAround(pieces).map(({ id, text, isReplaced }) =>
        isReplaced && !isExcluded ? <del key={id}>{text}</del> : text,
      )}
    </q>
  )
}
