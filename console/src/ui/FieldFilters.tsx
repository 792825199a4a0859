import type { FormEvent } from 'react'

import { Button } from './Button.tsx'
import './field-filters.css'
import { textOf } from './form.ts'

/** Filters by names that are typed: they apply when the form is sent, and stand in the address of the page. */
export function FieldFilters<Name extends string>({
  fields,
  values,
  onChange,
}: {
  /** The names of the search parameters, and their labels. */
  readonly fields: readonly (readonly [name: Name, label: string])[]
  readonly values: { readonly [name in Name]?: string | undefined }
  readonly onChange: (change: { readonly [name in Name]?: string | undefined }) => void
}) {
  const change = (valueOf: (name: Name) => string | undefined) =>
    onChange(
      Object.fromEntries(fields.map(([name]) => [name, valueOf(name)])) as {
        readonly [name in Name]?: string | undefined
      },
    )
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change((name) => textOf(form, name) || undefined)
  }
  return (
    // The key resets the fields when a link or a button has changed the address.
    <form key={fields.map(([name]) => values[name]).join()} className="row" onSubmit={submit}>
      {fields.map(([name, label], index) => (
        <input
          key={name}
          name={name}
          className="input mono field-filter"
          aria-label={label}
          placeholder={label}
          defaultValue={values[name]}
          {...(index === 0 && { 'data-search': true })}
        />
      ))}
      <Button type="submit">Show</Button>
      {fields.some(([name]) => values[name] !== undefined) && (
        <Button kind="quiet" onClick={() => change(() => undefined)}>
          Clear
        </Button>
      )}
    </form>
  )
}
