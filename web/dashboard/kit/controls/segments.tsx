type Props<Value> = {
  /** The attribute `name` of the radio buttons. */
  name: string
  choices: readonly (readonly [Value, string])[]
  chosen: Value
  onChoose: (value: Value) => void
  isDisabled?: (value: Value) => boolean
  className?: string
  /**
   * The accessible name of the group, or the id of the element with this name. A group in a fieldset has the legend as
   * its accessible name.
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
