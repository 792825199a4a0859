import { expect } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import { createGate } from '../walks/streams/scripted.ts'
import { type Pair, type PairOptions, startPair } from './pair.ts'

const keys = ['mallory', 'alice', 'bob', 'carl'].map((id) => ({ id, secret: id }))
/** Fields of a request on which the accounts break. */
export const poison = { fields: { user: 'poison' } }
/** Fields of a request that the accounts answer late. */
export const slowly = { fields: { user: 'slow' } }

/** What the tests of single keys need. */
export interface Fragile extends Pair {
  /** Holds slow requests back. */
  readonly gate: ReturnType<typeof createGate>
  pass(milliseconds: number): void
  failOften(key: string, times?: number): Promise<void>
  serveOften(key: string, times?: number): Promise<void>
}

/** Two accounts that break on one odd request, and serve all others. */
export async function startFragile(options: PairOptions = {}): Promise<Fragile> {
  let time = Date.now()
  const pair = await startPair(form.chat, { keys, now: () => time, ...options })
  const gate = createGate()
  const script: Answer = async (response, request) => {
    if (request.body.includes('slow')) await gate.opened
    const answer = request.body.includes('poison') ? refusing(500) : serving(form.chat)
    return answer(response, request)
  }
  pair.a.script = script
  pair.b.script = script
  return {
    ...pair,
    gate,
    pass: (milliseconds) => void (time += milliseconds),
    async failOften(key, times = 5) {
      for (let call = 0; call < times; call++) {
        expect((await pair.ask({ key, ...poison })).status).toBe(500)
      }
    },
    // Each call asks one of the two: often enough that both serve some.
    async serveOften(key, times = 20) {
      for (let call = 0; call < times; call++) {
        expect((await pair.ask({ key })).status).toBe(200)
      }
    },
  }
}

/** The number of requests that both accounts have received. */
export const requestsOf = ({ a, b }: Pair): number => a.requests.length + b.requests.length
