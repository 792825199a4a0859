import { expect } from 'vitest'

import type { Name } from '../samples/index.ts'
import { bodiesFor } from './hosts/index.ts'
import { valueAt } from './path.ts'
import type { Fate, Row } from './rows.ts'
import type { Asked, FieldStage } from './stage.ts'

/** Sends a field of a row to an account under both policies, and holds the row's decision. */
export async function checkFate(
  stage: FieldStage,
  [client, account]: readonly [Name, Name],
  row: Row,
  field: string,
): Promise<void> {
  const fate = row.fates[account]
  if (!fate) throw new Error(`${field} has no decision on ${account}.`)
  const bodies = bodiesFor(client, field, row.value === undefined ? kindOf(field) : row.value)
  const seen: Seen = {
    name: bodies.field,
    value: row.value,
    without: await stage.askOnce(client, account, bodies.without),
    with: await stage.ask(client, account, 'drop', bodies.with),
    // Nothing is refused of a field that arrives as it is.
    rejecting:
      fate.kind === 'carried' || fate.kind === 'fetched'
        ? undefined
        : await stage.ask(client, account, 'reject', bodies.with),
  }
  holders[fate.kind](seen, fate)
}

/**
 * Sends a field with a value of another type to an account that would get the field: the request is refused, the
 * field is named as lost, or the account gets the value, as inside a schema, and judges it.
 */
export async function checkOtherType(
  stage: FieldStage,
  [client, account]: readonly [Name, Name],
  { value }: Row,
  field: string,
): Promise<void> {
  const other = typeof value === 'number' ? 'no number' : 54321
  const bodies = bodiesFor(client, field, other)
  const without = await stage.askOnce(client, account, bodies.without)
  const asked = await stage.ask(client, account, 'drop', bodies.with)
  const isLost = asked.losses.some((loss) => !without.losses.includes(loss))
  const arrives = JSON.stringify(asked.body)?.includes(`${other}`)
  if (asked.status === 400) expect(asked.body).toBeUndefined()
  else expect(isLost || arrives, `${field} is lost on ${account} without a name`).toBe(true)
}

/** An object of the kind that a field ends with. */
function kindOf(field: string): { type: string | undefined } {
  return { type: /\[([^\]|]*)[^\]]*\]$/.exec(field)?.[1] }
}

interface Seen {
  /** The field as losses and refusals name it. */
  readonly name: string
  readonly value: unknown
  readonly without: Asked
  readonly with: Asked
  readonly rejecting: Asked | undefined
}

type Holder = (seen: Seen, fate: Fate) => void

const holders: Readonly<Record<Fate['kind'], Holder>> = {
  carried(seen, fate) {
    holdArrival(seen, fate)
    expect(newLosses(seen), 'nothing is named as lost').toEqual([])
  },
  changed(seen, fate) {
    holdArrival(seen, fate)
    holdNamed(seen)
  },
  lost(seen) {
    expect(seen.with).toMatchObject({ status: 200 })
    holdNamed(seen)
  },
  refused({ name, without, with: dropping, rejecting }) {
    // The account may refuse what the field is in, such as the tool of a call.
    const named = [name, without.param ?? name]
    for (const asked of [dropping, rejecting]) {
      expect(asked).toMatchObject({ status: 400, body: undefined })
      expect(asked?.message).toMatch(/account that speaks|not found/)
      const isTheirs = named.some((one) => isNamed(one, [asked?.param ?? '']))
      expect(isTheirs, `${asked?.param} names ${name}`).toBe(true)
    }
  },
  fetched({ with: asked }) {
    expect(asked).toMatchObject({ status: 400, body: undefined })
    expect(asked.message).toContain('cannot be fetched')
  },
  hint: holdSilence,
  own: holdSilence,
}

/** The account gets the field, and a different request without it. */
function holdArrival({ value, without, with: asked }: Seen, fate: Fate): void {
  if (fate.kind !== 'carried' && fate.kind !== 'changed') return
  expect(asked).toMatchObject({ status: 200 })
  const expected = 'value' in fate ? fate.value : value
  expect(JSON.stringify(valueAt(asked.body, fate.to))).toBe(JSON.stringify(expected))
  expect(JSON.stringify(asked.body)).not.toBe(JSON.stringify(without.body))
}

/** The gateway names the field as a loss, and refuses it under `reject` before it asks the account. */
function holdNamed({ name, with: dropping, rejecting }: Seen): void {
  expect(isNamed(name, dropping.losses), `${dropping.losses.join(', ')} names ${name}`).toBe(true)
  expect(rejecting).toMatchObject({ status: 400, body: undefined })
  expect(isNamed(rejecting?.param ?? '', dropping.losses), `${rejecting?.param} is lost`).toBe(true)
}

/** The account gets the same request as without the field, and no client hears of it. */
function holdSilence(seen: Seen): void {
  expect(seen.with).toMatchObject({ status: 200 })
  expect(seen.with.body).toEqual(seen.without.body)
  expect(newLosses(seen), 'nothing is named as lost').toEqual([])
  if (seen.without.losses.length === 0) expect(seen.rejecting).toMatchObject({ status: 200 })
}

function newLosses({ without, with: asked }: Seen): readonly string[] {
  return asked.losses.filter((loss) => !without.losses.includes(loss))
}

/** Whether one of the names is the field, something that it is in, or something inside it. */
function isNamed(field: string, names: readonly string[]): boolean {
  const holds = (outer: string, inner: string) =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)
  return names.some((name) => name !== '' && (holds(name, field) || holds(field, name)))
}
