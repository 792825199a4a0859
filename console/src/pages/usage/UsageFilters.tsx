import type { FormEvent } from 'react'

import { textOf } from '../../ui/form.ts'
import { Button } from '../../ui/Button.tsx'
import type { UsageSearch } from './search.ts'

const fields = [
  ['keyId', 'Key'],
  ['team', 'Team'],
  ['model', 'Model'],
  ['accountId', 'Account'],
] as const

/** Of whom the usage is. */
export function UsageFilters({
  search,
  onChange,
}: {
  readonly search: UsageSearch
  readonly onChange: (change: UsageSearch) => void
}) {
  const isOn = fields.some(([name]) => search[name] !== undefined)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onChange(Object.fromEntries(fields.map(([name]) => [name, textOf(form, name) || undefined])))
  }
  return (
    // The key makes the fields anew when a link or a button has changed the address.
    <form key={fields.map(([name]) => search[name]).join()} className="row" onSubmit={submit}>
      {fields.map(([name, label]) => (
        <input
          key={name}
          name={name}
          className="input mono usage-filter"
          aria-label={label}
          placeholder={label}
          defaultValue={search[name]}
          {...(name === 'keyId' && { 'data-search': true })}
        />
      ))}
      <Button type="submit">Show</Button>
      {isOn && (
        <Button
          kind="quiet"
          onClick={() => onChange(Object.fromEntries(fields.map(([name]) => [name, undefined])))}
        >
          Clear
        </Button>
      )}
    </form>
  )
}
