import type { ReactNode } from 'react'

import type { Present } from '../api/acts.ts'
import { unknownCell } from '../format/numbers.ts'
import { Definition } from './Definition.tsx'
import { Time } from './Time.tsx'

const names: Readonly<Record<string, string>> = {
  provider: 'Provider',
  baseUrl: 'Base URL',
  name: 'Name',
  team: 'Team',
  models: 'Models',
  priority: 'Priority',
  weight: 'Weight',
  amount: 'Amount',
  action: 'At its end',
  expiresAt: 'Expires',
  changedBy: 'Changed by',
  changedAt: 'Changed',
}

/** What an act met instead of what its user saw. */
export function PresentFacts({ present }: { readonly present: Present }) {
  const items = Object.keys(names).flatMap((field) =>
    field in present ? [[names[field]!, valueOf(field, present[field])] as const] : [],
  )
  return (
    <>
      <p>As it is now:</p>
      <Definition items={items} />
    </>
  )
}

function valueOf(field: string, value: unknown): ReactNode {
  if (value === null || value === undefined) return unknownCell
  if (Array.isArray(value)) return value.join(', ')
  if (field.endsWith('At')) return <Time at={value as string} />
  const text = String(value)
  return field === 'action' ? text.toLowerCase() : text
}
