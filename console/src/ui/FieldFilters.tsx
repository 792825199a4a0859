import type { FormEvent } from 'react'

import { localText, momentOf } from '../format/time.ts'
import { Button } from './Button.tsx'
import './field-filters.css'
import { textOf } from './form.ts'

/** A filter: the name of its search parameter, its label, and whether it is a moment instead of a name. */
export type FieldFilter<Name extends string> = readonly [name: Name, label: string, kind?: 'moment']

/** Filters by names and times that are typed: they apply when the form is sent, and stand in the address of the page. */
export function FieldFilters<Name extends string>({
  fields,
  values,
  onChange,
}: {
  readonly fields: readonly FieldFilter<Name>[]
  readonly values: { readonly [name in Name]?: string | undefined }
  readonly onChange: (change: { readonly [name in Name]?: string | undefined }) => void
}) {
  const change = (valueOf: (field: FieldFilter<Name>) => string | undefined) =>
    onChange(
      Object.fromEntries(fields.map((field) => [field[0], valueOf(field)])) as {
        readonly [name in Name]?: string | undefined
      },
    )
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change(([name, , kind]) => {
      const text = textOf(form, name)
      return kind === 'moment' ? momentOf(text) : text || undefined
    })
  }
  return (
    // The key resets the fields when a link or a button has changed the address.
    <form
      key={fields.map(([name]) => values[name]).join()}
      className="field-filters"
      onSubmit={submit}
    >
      {fields.map(([name, label, kind], index) =>
        kind === 'moment' ? (
          <MomentFilter key={name} name={name} label={label} value={values[name]} />
        ) : (
          <input
            key={name}
            name={name}
            className="input mono field-filter"
            aria-label={label}
            placeholder={label}
            defaultValue={values[name]}
            {...(index === 0 && { 'data-search': true })}
          />
        ),
      )}
      <Button type="submit">Show</Button>
      {fields.some(([name]) => values[name] !== undefined) && (
        <Button kind="quiet" onClick={() => change(() => undefined)}>
          Clear
        </Button>
      )}
    </form>
  )
}

function MomentFilter({
  name,
  label,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
}) {
  return (
    <label className={value === undefined ? 'filter' : 'filter filter-on'}>
      <span>{label}</span>
      <input
        type="datetime-local"
        step={1}
        name={name}
        defaultValue={value === undefined ? '' : localText(value)}
      />
    </label>
  )
}
