import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Random } from './random.ts'

type Holder = Record<string, unknown> | unknown[]

/** A place in a JSON value. */
interface Spot {
  readonly holder: Holder
  readonly key: string | number
}

/** The value with one thing in it changed. */
export function mutateJson(json: JsonObject, random: Random): JsonObject {
  const copy = cloned(json) as Record<string, unknown>
  const spots = spotsIn(copy)
  if (spots.length === 0) return copy
  const spot = random.pick(spots)
  random.pick(changes)(spot, random, spots)
  return copy
}

type Change = (spot: Spot, random: Random, spots: readonly Spot[]) => void

const changes: readonly Change[] = [
  (spot, random) => put(spot, random.pick(odd)),
  (spot, random) => put(spot, random.pick(odd)),
  (spot, random) => put(spot, random.pick(numbers)),
  (spot, random) => put(spot, random.pick(numbers)),
  (spot) => put(spot, null),
  remove,
  remove,
  (spot) => put(spot, [valueAt(spot)]),
  (spot) => put(spot, { value: valueAt(spot) }),
  (spot, random) => put(spot, nested(1 + random.below(2_000), random.oneIn(2))),
  (spot) => put(spot, JSON.stringify(valueAt(spot)) ?? ''),
  (spot, random, spots) => put(spot, cloned(valueAt(random.pick(spots)))),
  repeat,
  rename,
]

const odd: readonly unknown[] = [
  '',
  ' ',
  'x',
  'stop',
  'tool_use',
  '\u{d800}',
  '\u0000\n\ndata: [DONE]\n\n',
  'y'.repeat(5_000),
  true,
  false,
  {},
  [],
  [null],
  [[]],
  { __proto__: null, constructor: 1 },
  'constructor',
  '__proto__',
]

const numbers: readonly number[] = [
  0,
  1,
  2,
  -1,
  0.5,
  1e9,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  400,
  429,
  503,
  999,
]

function spotsIn(holder: Holder, spots: Spot[] = []): Spot[] {
  for (const key of Object.keys(holder)) {
    const spot = { holder, key: Array.isArray(holder) ? Number(key) : key }
    spots.push(spot)
    const value = valueAt(spot)
    if (typeof value === 'object' && value !== null) spotsIn(value as Holder, spots)
  }
  return spots
}

/** Whatever its depth. */
function cloned(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

function valueAt({ holder, key }: Spot): unknown {
  return (holder as Record<string | number, unknown>)[key]
}

function put({ holder, key }: Spot, value: unknown): void {
  const own = { value, writable: true, enumerable: true, configurable: true }
  Object.defineProperty(holder, key, own)
}

function remove({ holder, key }: Spot): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

function repeat({ holder, key }: Spot): void {
  const value = (holder as Record<string | number, unknown>)[key]
  if (Array.isArray(holder)) holder.splice(Number(key), 0, cloned(value))
  else if (typeof value === 'string') holder[key] = value + value
  else holder[key] = [value, value]
}

function rename({ holder, key }: Spot): void {
  if (Array.isArray(holder)) return void holder.push(holder.shift())
  const value = holder[key]
  delete holder[key]
  holder[`${String(key)}_`] = value
}

function nested(depth: number, isList: boolean): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value }
  return value
}
