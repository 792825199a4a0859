import { count } from '../format/numbers.ts'

/** A count in a cell: nothing is grey. */
export function Count({ value }: { readonly value: number }) {
  return value === 0 ? <span className="muted">0</span> : count(value)
}
