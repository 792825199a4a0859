import { createHash } from 'node:crypto'

import { ErrorReply } from '@redis/client'

import { type MeterReply, createMeter } from '../meter-wire.ts'
import type { Meter } from '../meter.ts'
import type { RedisConnection } from './connect.ts'
import { meterScript } from './meter-script.ts'

const digest = createHash('sha1').update(meterScript).digest('hex')

/**
 * A meter on Redis. `prefix`: the beginning of its keys; those of a subject share a hash tag. `now`: by default the
 * clock of the server.
 */
export function redisMeter(
  connection: Pick<RedisConnection, 'send'>,
  prefix: string,
  now: () => number = () => 0,
): Meter {
  return createMeter(async (operation) => {
    const hash = `${prefix}{meter:${operation[2]}}`
    const rest = ['2', hash, `${hash}#due`, JSON.stringify(operation)]
    try {
      return (await connection.send(hash, 'write', ['EVALSHA', digest, ...rest])) as MeterReply
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return (await connection.send(hash, 'write', ['EVAL', meterScript, ...rest])) as MeterReply
    }
  }, now)
}

/** A Redis that was started again knows no script, and has run nothing. */
function isUnknownScript(error: unknown): boolean {
  const cause = error instanceof ErrorReply ? error : (error as Error).cause
  return cause instanceof ErrorReply && cause.message.startsWith('NOSCRIPT')
}
