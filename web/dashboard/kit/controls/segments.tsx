type Props<Value> = {
  /** The attribute `name` of the radio buttons. */
  name: string
  choices: readonly (readonly [Value, string])[]
  chosen: Value
  onChoose: (value: Value) => void
  isDisabled?: (value: Value) => boolean
  className?: string
  /**
   * `label` is the accessible name of the group; `labelledBy` is the id of an element that contains the name. A group
   * in a fieldset needs neither, because the legend names it.
   */
  label?: string
  labelledBy?: string
}

/** Radio buttons as parts of one bar. */
export function Segments<Value extends string | boolean>(props: Props<Value>) {
  const { name, choices, chosen, onChoose, isDisabled, className = '', label, labelledBy } = props
  return (
    <div
      className={`segments ${className}`}
      role={(label ?? labelledBy) && 'radiogroup'}
      aria-label={label}
      aria-labelledby={labelledBy}
    >
      {choices.map(([value, text]) => (
        <label key={String(value)}>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            disabled={isDisabled?.(value)}
            onChange={() => onChoose(value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </div>
  )
}
