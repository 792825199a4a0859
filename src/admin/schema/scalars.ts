import { GraphQLError } from 'graphql'

import type { AdminBuilder } from '../builder.ts'

/** Adds the scalars of `AdminTypes`. */
export function addScalars(builder: AdminBuilder): void {
  builder.scalarType('DateTime', {
    description: 'A time in ISO 8601, such as 2026-01-31T00:00:00.000Z.',
    serialize: writeTime,
    parseValue: readTime,
  })
  builder.scalarType('Count', {
    description: 'A whole number from 0 to 2^53 - 1.',
    serialize: (value) => value,
    parseValue: readCount,
  })
  builder.scalarType('Amount', {
    description:
      'A whole number of calls or tokens, or a decimal text, such as "12.50", of USD or a factor. In inputs each may be a number or a text.',
    serialize: (value) => value,
    parseValue: readAmount,
  })
  builder.scalarType('JSON', {
    description: 'Any JSON value.',
    serialize: (value) => value,
    parseValue: (value) => value,
  })
}

/** In milliseconds. */
const latest = 8.64e15

/** A record may have any time: one that no `Date` holds must not take its list along. */
function writeTime(value: number | Date): string | null {
  const time = Math.min(latest, Math.max(-latest, Number(value)))
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** Without a zone the time would depend on the zone of the machine. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

function readTime(value: unknown): number {
  const time = typeof value === 'string' && isoTime.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new GraphQLError('A DateTime is written as 2026-01-31T00:00:00Z.')
  return time
}

function readAmount(value: unknown): number | string {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  if (typeof value === 'string' && /^\d{1,16}(?:\.\d{1,12})?$/.test(value)) return value
  throw new GraphQLError('An Amount is a number from 0, or its decimal text, such as "12.50".')
}

function readCount(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new GraphQLError('A Count is a whole number from 0 to 2^53 - 1.')
}
