import { count } from '../format/numbers.ts'
import './switch.css'

/** An option of `Switch`. */
export interface SwitchOption<Value extends string> {
  readonly value: Value
  readonly name: string
  /** How many there are; absent: not known. */
  readonly count?: number | undefined
}

/** One of a few views, of which one is on. */
export function Switch<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string
  readonly options: readonly SwitchOption<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}) {
  return (
    <div className="switch" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.name}
          {option.count !== undefined && ` ${count(option.count)}`}
        </button>
      ))}
    </div>
  )
}
