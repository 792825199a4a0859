import { createHash } from 'node:crypto'

import { ErrorReply } from '@redis/client'

import {
  type Meter,
  type MeterAnswer,
  type MeterLimit,
  type MeterRefusal,
  type MeterState,
  assertCountable,
} from '../meter.ts'
import type { RedisConnection } from './connect.ts'
import { meterScript } from './meter-script.ts'

type StateReply = readonly [spent: number, held: number, remaining: number, resetsAt: number | null]

type AdmitReply = readonly [
  admitted: 0 | 1,
  refusedBy: number,
  why: MeterRefusal | '',
  retryAfterMs: number | null,
  exceeded: readonly number[],
  states: readonly StateReply[],
]

const digest = createHash('sha1').update(meterScript).digest('hex')

/**
 * A meter on Redis. `prefix`: the beginning of its keys; those of a subject share a hash tag. `now`: milliseconds
 * since 1970; absent: the clock of the server.
 */
export function redisMeter(
  connection: Pick<RedisConnection, 'send'>,
  prefix: string,
  now?: () => number,
): Meter {
  async function run(subject: string, operation: object): Promise<unknown> {
    const hash = `${prefix}{meter:${subject}}`
    const rest = ['2', hash, `${hash}#due`, JSON.stringify(operation), now ? String(now()) : '']
    try {
      return await connection.send(hash, 'write', ['EVALSHA', digest, ...rest])
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return await connection.send(hash, 'write', ['EVAL', meterScript, ...rest])
    }
  }

  const named = (limits: readonly MeterLimit[]) => limits.map((limit) => ({ limit }))

  return {
    async admit(ask) {
      assertCountable([ask.subject, ask.hold], ask.takes, ask.expiresMs)
      return answerOf((await run(ask.subject, { admit: ask })) as AdmitReply)
    },
    async settle(end) {
      assertCountable([end.subject, end.hold], end.charges)
      return statesOf(await run(end.subject, { settle: end }))
    },
    async renew(subject, holds, expiresMs) {
      assertCountable([subject, ...holds], [], expiresMs)
      await run(subject, { renew: { holds, expiresMs } })
    },
    async read(subject, limits) {
      assertCountable([subject], named(limits))
      return statesOf(await run(subject, { read: named(limits) }))
    },
    async reset(subject, limit) {
      assertCountable([subject], named([limit]))
      await run(subject, { reset: { limit } })
    },
  }
}

function answerOf([
  admitted,
  refusedBy,
  why,
  retryAfterMs,
  exceeded,
  states,
]: AdmitReply): MeterAnswer {
  if (admitted === 1) return { admitted: true, states: statesOf(states), exceeded }
  return {
    admitted: false,
    refusedBy,
    why: why || 'held',
    retryAfterMs: retryAfterMs ?? undefined,
    states: statesOf(states),
  }
}

function statesOf(reply: unknown): MeterState[] {
  return (reply as readonly StateReply[]).map(([spent, held, remaining, resetsAt]) => ({
    spent,
    held,
    remaining,
    resetsAt: resetsAt ?? undefined,
  }))
}

/** A Redis that was started again knows no script, and has run nothing. */
function isUnknownScript(error: unknown): boolean {
  const cause = error instanceof ErrorReply ? error : (error as Error).cause
  return cause instanceof ErrorReply && cause.message.startsWith('NOSCRIPT')
}
