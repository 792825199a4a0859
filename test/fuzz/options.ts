import { parseArgs } from 'node:util'

import { type DialectName, dialectNames } from '../translate/clients/index.ts'

export interface FuzzOptions {
  readonly seed: number
  /** Cases of each account's dialect. */
  readonly count: number
  readonly accounts: readonly DialectName[]
  readonly client: DialectName | undefined
  /** Only this one. */
  readonly number: number | undefined
}

const usage = `npm run fuzz -- [--seed N] [--count N] [--account DIALECT] [--client DIALECT] [--case N]

Dialects: ${dialectNames.join(', ')}. Without --account all of them; without --client each in turn.`

/** What the command line asks for. Throws with the usage where it makes no sense. */
export function readOptions(args: readonly string[]): FuzzOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { seed: text, count: text, account: text, client: text, case: text },
  })
  return {
    seed: numberOf(values.seed) ?? Math.trunc(Math.random() * 2 ** 31),
    count: numberOf(values.count) ?? 100_000,
    accounts: values.account === undefined ? dialectNames : [dialectOf(values.account)],
    client: values.client === undefined ? undefined : dialectOf(values.client),
    number: numberOf(values.case),
  }
}

function numberOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d+$/.test(value)) throw new Error(usage)
  return Number(value)
}

function dialectOf(name: string): DialectName {
  const found = dialectNames.find((known) => known === name)
  if (!found) throw new Error(usage)
  return found
}
