import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

import './field.css'
import { FieldHint, hintOf } from './Field.tsx'
import './select.css'

/** An option: its value, and its words if they differ. */
export type SelectOption = string | { readonly value: string; readonly name: string }

/** Properties of `Select` and `Filter`. */
export interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
  readonly hint?: ReactNode
  readonly problem?: string | undefined
}

/** A choice in a form. */
export function Select({ label, hint, problem, ...rest }: SelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Choice {...rest} id={id} className="input" describedBy={hintOf(id, hint, problem)} />
      <FieldHint id={`${id}-hint`} hint={hint} problem={problem} />
    </div>
  )
}

/** A filter above a list: the label is in its frame; the empty value is `any`. */
export function Filter({ label, ...rest }: SelectProps) {
  const id = useId()
  return (
    <span className={rest.value === '' ? 'filter' : 'filter filter-on'}>
      <label htmlFor={id}>{label}</label>
      <Choice {...rest} id={id} />
    </span>
  )
}

function Choice({
  id,
  className,
  value,
  options,
  onChange,
  describedBy,
}: Pick<SelectProps, 'value' | 'options' | 'onChange'> & {
  readonly id: string
  readonly className?: string
  readonly describedBy?: string | undefined
}) {
  return (
    <select
      id={id}
      className={className}
      value={value}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((option) => {
        const { value, name } =
          typeof option === 'string' ? { value: option, name: option || 'any' } : option
        return (
          <option key={value} value={value}>
            {name}
          </option>
        )
      })}
    </select>
  )
}

/** A field that proposes known values and takes others. */
export function Combobox({
  label,
  hint,
  problem,
  options,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'list' | 'onChange'> & {
  readonly label: string
  readonly options: readonly string[]
  readonly hint?: ReactNode
  readonly problem?: string | undefined
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        className="input mono"
        list={`${id}-list`}
        aria-invalid={problem !== undefined}
        aria-describedby={hintOf(id, hint, problem)}
      />
      <datalist id={`${id}-list`}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
      <FieldHint id={`${id}-hint`} hint={hint} problem={problem} />
    </div>
  )
}
