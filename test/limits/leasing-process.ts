import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { CallMeter, type Hold, type Take } from '../../plugins/limits/call-meter.ts'
import type { QuotaSetting } from '../../src/contract/quota.ts'
import { createLog } from '../../src/lib/log.ts'
import { compileLimits } from '../../src/limits/compile.ts'
import { type LimitSet, createLimitSet } from '../../src/limits/limit-set.ts'
import { meterLimitOf } from '../../src/limits/meter-limit.ts'
import type { Meter, MeterLimit } from '../../src/stores/meter.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'

/** The name of the subject in the meter. */
export const subject = 'key:a'

/** The limits of the subject. */
export function limitsOf(quotas: readonly QuotaSetting[]) {
  return compileLimits({ type: 'key', id: 'a' }, quotas)
}

/** A call of a process that is in flight. */
export interface LeasingCall {
  readonly hold: Hold
  readonly takes: readonly Take[]
  readonly states: readonly { spent: number; held: number; remaining: number }[]
  readonly isLeased: boolean
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A process with the calls of one subject: they take an estimate, and use another amount. */
export function leasingProcess(store: Meter, quotas: readonly QuotaSetting[]) {
  const set: LimitSet = createLimitSet(limitsOf(quotas))
  const counted = { operations: 0, fails: (): 'before' | 'after' | undefined => undefined }
  const guard =
    <A extends readonly unknown[], R>(run: (...ask: A) => Promise<R>) =>
    async (...ask: A): Promise<R> => {
      counted.operations++
      const fails = counted.fails()
      if (fails === 'before') throw new StoreUnavailable('It is away on purpose.')
      const answer = await run(...ask)
      if (fails === 'after') throw new StoreUnavailable('Its answer is lost on purpose.')
      return answer
    }
  const meter: Meter = {
    admit: guard(store.admit),
    settle: guard(store.settle),
    lease: guard(store.lease),
    renew: guard(store.renew),
    read: guard(store.read),
    reset: guard(store.reset),
  }
  const calls = new CallMeter({
    meter,
    limits: set,
    log: createLog({ write: () => {} }),
    directory: join(tmpdir(), `dragoman-leases-${randomUUID()}`),
    storeUrl: 'memory:',
    now: Date.now,
    onCharged: () => {},
  })
  const asked = (at = Date.now()): MeterLimit[] =>
    set.all.map((limit) => meterLimitOf(limit, at, set))
  return {
    calls,
    counted,
    set,
    asked,
    /** Begins a call; `undefined`: it is refused. */
    async begin(tokens: number): Promise<LeasingCall | undefined> {
      const hold: Hold = { id: randomUUID(), subject, takes: [], isUnheld: false }
      const takes = set.all.map((limit): Take => {
        const amount = limit.kind.endsWith('okens') ? tokens : 1
        const one = meterLimitOf(limit, Date.now(), set)
        return { limit, meter: one, amount, floor: amount, part: undefined }
      })
      const answer = await calls.admit(hold, takes)
      if (answer?.admitted) {
        const isLeased = takes.every(({ part }) => part !== undefined)
        return { hold, takes, states: answer.states, isLeased }
      }
      calls.settle(hold, [])
      return undefined
    },
    end({ hold }: LeasingCall, tokens: number): void {
      const charges = hold.takes.map(({ limit, meter: limited }) => {
        const used = limit.kind === 'requests' ? 1 : limit.kind === 'concurrent' ? 0 : tokens
        return { limit: limited, amount: used }
      })
      calls.settle(hold, charges)
    },
    read: () => calls.read(subject, asked()),
  }
}

export type LeasingProcess = ReturnType<typeof leasingProcess>
