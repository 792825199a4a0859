import type { MeterLimit, MeterTake } from '../../../src/stores/meter.ts'

type Rest = Partial<Pick<MeterLimit, 'id' | 'refuses' | 'strict'>>

const plain = { refuses: true, strict: false }

export function budget(
  amount: number,
  { period = 'total', endsAt, ...rest }: Rest & { period?: string; endsAt?: number } = {},
): MeterLimit {
  return { id: 'budget', amount, counts: { kind: 'budget', period, endsAt }, ...plain, ...rest }
}

export function rate(amount: number, windowMs = 60_000, rest: Rest = {}): MeterLimit {
  return { id: 'rate', amount, counts: { kind: 'rate', windowMs }, ...plain, ...rest }
}

export function concurrent(amount: number, rest: Rest = {}): MeterLimit {
  return { id: 'concurrent', amount, counts: { kind: 'concurrent' }, ...plain, ...rest }
}

/** An ask of one limit or more, with a hold that lasts. */
export function ask(
  hold: string,
  limit: MeterLimit,
  amount: number,
  { floor = 0, subject = 'key:a', expiresMs = 60_000, more = [] as readonly MeterTake[] } = {},
) {
  return { subject, hold, expiresMs, takes: [{ limit, amount, floor }, ...more] }
}
